// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.github.bucket4j.TimeMeter;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.sluice.scheduler.api.ProblemAnswers;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.security.Authentication;
import io.sluice.scheduler.security.SignIn;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Refuses requests beyond the rate of their sender: of a caller by its name, of anybody else by the
 * remote address. Many strangers behind one address, such as that of a proxy, share a rate; callers
 * with a token do not share it.
 *
 * <p>The administrator's token of the data directory has no maximum. Its holder can stop the server
 * anyway, and needs the API when others overload it. Probes have none either: a probe that is
 * refused would restart the server.
 */
@Singleton
class RateFilter {
  /** After the check of the place and the search for the caller, before a token is demanded. */
  private static final int BETWEEN = 1900;

  /** Requests without a valid token have this part of the rate of a caller. */
  private static final int STRANGERS_PART = 5;

  private static final String PROBES = "/q/health";

  private final Authentication authentication;
  private final int perSecond;
  private final byte[] exempt;
  private final RequestRates callers;
  private final RequestRates strangers;

  RateFilter(Authentication authentication, ServerSettings settings) {
    this.authentication = authentication;
    this.perSecond = settings.requestRate();
    this.exempt = bytes("Bearer " + DataDirectory.token(settings.data()));
    this.callers = new RequestRates(Math.max(1, perSecond), TimeMeter.SYSTEM_NANOTIME);
    this.strangers =
        new RequestRates(Math.max(1, perSecond / STRANGERS_PART), TimeMeter.SYSTEM_NANOTIME);
  }

  void register(@Observes Filters filters) {
    if (perSecond > 0) {
      filters.register(this::filter, BETWEEN);
    }
  }

  private void filter(RoutingContext context) {
    HttpServerRequest request = context.request();
    String path = request.path();
    if (isExempt(request) || (path != null && path.startsWith(PROBES))) {
      context.next();
      return;
    }
    SignIn signIn = authentication.of(context).signIn();
    if (signIn != null) {
      String caller = signIn.caller().name();
      pass(context, callers.admit(caller), caller + " may send", perSecond);
    } else {
      pass(
          context,
          strangers.admit(RemoteAddress.sender(request.remoteAddress())),
          "an address may send, without a valid token,",
          Math.max(1, perSecond / STRANGERS_PART));
    }
  }

  private static void pass(RoutingContext context, boolean admitted, String whose, int rate) {
    if (admitted) {
      context.next();
    } else {
      ProblemAnswers.refuse(
          context,
          ProblemKind.TOO_MANY_REQUESTS,
          "%s %d requests per second, and %d at once"
              .formatted(whose, rate, (long) rate * RequestRates.BURST_SECONDS));
    }
  }

  private boolean isExempt(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    return header != null && MessageDigest.isEqual(exempt, bytes(header));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
