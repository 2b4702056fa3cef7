// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether a cluster's API server answers, as its requests and watches show. The log has one
 * line when it ceases to answer, and one when it answers again, with the number of requests that
 * failed.
 */
public final class Reachability {
  private static final Logger LOG = Logger.getLogger(Reachability.class);

  private final String cluster;
  private final Clock clock;
  private long failures;
  private @Nullable Instant awaySince;

  Reachability(String cluster, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /** Records an answer, whatever it was. */
  synchronized void answered() {
    Instant since = awaySince;
    if (since != null) {
      awaySince = null;
      LOG.infof(
          "cluster %s answers again after %s, in which %d requests failed",
          cluster,
          Duration.ofSeconds(Duration.between(since, clock.instant()).toSeconds()),
          failures);
    }
  }

  /** Records a request or watch without an answer. */
  synchronized void failed(String why) {
    if (awaySince == null) {
      awaySince = clock.instant();
      failures = 0;
      LOG.warnf("cluster %s does not answer and is asked again until it does: %s", cluster, why);
    }
    failures++;
  }

  /** Returns when answers ceased; null: the last request was answered. */
  public synchronized @Nullable Instant awaySince() {
    return awaySince;
  }
}
