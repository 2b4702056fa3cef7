// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.sluice.scheduler.security.PlaceCheck;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Refuses requests that were not meant for this server, before any other filter. */
@Singleton
class PlaceFilter {
  private static final int FIRST = 2000;
  private static final Logger LOG = Logger.getLogger(PlaceFilter.class);

  private final PlaceCheck check;

  PlaceFilter(PlaceCheck check) {
    this.check = check;
  }

  void register(@Observes Filters filters) {
    filters.register(this::filter, FIRST);
  }

  private void filter(RoutingContext context) {
    check
        .refusal(context.request())
        .ifPresentOrElse(reason -> refuse(context, reason), context::next);
  }

  private static void refuse(RoutingContext context, String reason) {
    LOG.infof("refused from %s: %s", context.request().remoteAddress(), reason);
    ProblemAnswers.refuse(context, ProblemKind.HOST_NOT_ALLOWED, reason);
  }
}
