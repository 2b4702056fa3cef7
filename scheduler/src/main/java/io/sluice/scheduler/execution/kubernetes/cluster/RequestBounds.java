// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Rate limiter for requests to one API server: a maximum of concurrent requests and of requests per
 * second, with a burst of one second. Watches do not count.
 */
final class RequestBounds {
  private final Semaphore atATime;
  private final long nanosEach;
  private final long burstNanos;

  /**
   * Due time of the last permitted request if requests came evenly (GCRA's theoretical arrival
   * time).
   */
  private long due;

  RequestBounds(int perSecond, int atATime) {
    this.atATime = new Semaphore(atATime, true);
    this.nanosEach = Duration.ofSeconds(1).toNanos() / perSecond;
    this.burstNanos = Duration.ofSeconds(1).toNanos();
    this.due = System.nanoTime() - burstNanos;
  }

  /** Runs the request when the limits permit. */
  <T> T within(Supplier<T> request) {
    atATime.acquireUninterruptibly();
    try {
      long wait = reserve();
      if (wait > 0) {
        TimeUnit.NANOSECONDS.sleep(wait);
      }
      return request.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ClusterException(ClusterException.Reason.AWAY, "the server ends", interrupted);
    } finally {
      atATime.release();
    }
  }

  private synchronized long reserve() {
    long now = System.nanoTime();
    due = Math.max(due + nanosEach, now - burstNanos);
    return due - now;
  }
}
