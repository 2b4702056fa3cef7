// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Limits concurrent log readers to {@value #MAX} by permits, since each occupies a thread. A permit
 * is returned once: by the copying if it began, otherwise by the end of the exchange, because an
 * answer may end without a body, as that to {@code HEAD} does.
 */
@Singleton
class LogReaders {
  static final int MAX = 32;

  private final Semaphore free = new Semaphore(MAX);

  /** The permit of one request. */
  final class Permit {
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.HELD);

    private Permit() {}

    /**
     * Begins to copy.
     *
     * @return whether the exchange is still open; if not, nothing may be copied
     */
    boolean begin() {
      return stage.compareAndSet(Stage.HELD, Stage.COPYING);
    }

    /** Returns the permit after the copying. */
    void end() {
      if (stage.compareAndSet(Stage.COPYING, Stage.RETURNED)) {
        free.release();
      }
    }

    private void exchangeEnded() {
      if (stage.compareAndSet(Stage.HELD, Stage.RETURNED)) {
        free.release();
      }
    }
  }

  private enum Stage {
    HELD,
    COPYING,
    RETURNED
  }

  /**
   * A permit for an exchange.
   *
   * @throws ProblemException 503 if all are held
   */
  Permit acquire(RoutingContext exchange) {
    if (!free.tryAcquire()) {
      throw new ProblemException(
          ProblemKind.OVERLOADED, "at most " + MAX + " readers of logs at once");
    }
    Permit permit = new Permit();
    exchange.addEndHandler(ended -> permit.exchangeEnded());
    return permit;
  }
}
