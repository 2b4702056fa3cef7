// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.Semaphore;

/**
 * Lets a few sign-ins wait for others at once. Strangers can begin them, and must not take all
 * threads.
 */
final class SignInGate {
  private static final int WAITING_MAX = 16;

  private final Semaphore waiting = new Semaphore(WAITING_MAX);

  /**
   * A handler that is called for so many requests at once.
   *
   * @param full answers the others
   */
  Handler<RoutingContext> around(Handler<RoutingContext> handler, Handler<RoutingContext> full) {
    return context -> {
      if (!waiting.tryAcquire()) {
        full.handle(context);
        return;
      }
      try {
        handler.handle(context);
      } finally {
        waiting.release();
      }
    };
  }
}
