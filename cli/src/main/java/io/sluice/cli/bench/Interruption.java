// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run end in order when the user presses Ctrl-C: the run learns a reason to stop, reports
 * what it has, and ends its server. If that takes too long, only the server is ended. The exit code
 * is 1.
 */
final class Interruption implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int EXIT_CODE = 1;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final StopReason stop;
  private final Thread hook = new Thread(this::stopInOrder, "bench-interruption");
  private volatile Runnable lastStep = () -> {};

  private Interruption(StopReason stop) {
    this.stop = stop;
  }

  /** Acts on Ctrl-C from now on. */
  static Interruption watch(StopReason stop) {
    Interruption interruption = new Interruption(stop);
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** Sets what is done before this process ends if the run does not end in time. */
  void lastStep(Runnable step) {
    lastStep = step;
  }

  private void stopInOrder() {
    stop.set("interrupted");
    try {
      if (!finished.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        lastStep.run();
      }
    } catch (InterruptedException interrupted) {
      lastStep.run();
    }
    // System.exit blocks in a hook, and the exit code of a signal would be another one.
    Runtime.getRuntime().halt(EXIT_CODE);
  }

  /** The run has reported and has ended its server. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException interrupted) {
      // The hook runs and waits for this.
      finished.countDown();
    }
  }
}
