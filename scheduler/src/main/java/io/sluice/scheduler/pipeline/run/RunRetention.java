// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.scheduler.store.SharedTransactions;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Deletes runs past their retention after their end; their jobs stay. */
public final class RunRetention {
  /** Runs per transaction, each with all of its steps and parts. */
  private static final int RUNS_AT_A_TIME = 20;

  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Logger LOG = Logger.getLogger(RunRetention.class);

  private final SharedTransactions transactions;
  private final RunRepository runs;
  private long nextNanos = System.nanoTime();

  public RunRetention(SharedTransactions transactions, RunRepository runs) {
    this.transactions = transactions;
    this.runs = runs;
  }

  /**
   * Deletes some runs; does nothing if the last call, less than a minute ago, deleted all due ones.
   */
  public void removeSome() {
    if (System.nanoTime() - nextNanos < 0) {
      return;
    }
    int removed = transactions.run("cannot remove runs", () -> runs.removeKept(RUNS_AT_A_TIME));
    if (removed > 0) {
      LOG.infof("removed %d runs past their retention", removed);
    }
    if (removed < RUNS_AT_A_TIME) {
      nextNanos = System.nanoTime() + PAUSE.toNanos();
    }
  }
}
