// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** The caller of the request in progress. */
@Singleton
public class CurrentCaller {
  private static final String KEY = "io.sluice.caller";

  private final CurrentVertxRequest request;

  CurrentCaller(CurrentVertxRequest request) {
    this.request = request;
  }

  static void set(RoutingContext context, Caller caller) {
    context.put(KEY, caller);
  }

  /**
   * The caller.
   *
   * @throws UnauthorizedException if none is known
   */
  public Caller get() {
    Caller caller = find();
    if (caller == null) {
      throw new UnauthorizedException("no caller is known");
    }
    return caller;
  }

  /** The caller; null if none is known. */
  public @Nullable Caller find() {
    RoutingContext context = request.getCurrent();
    return context == null ? null : context.get(KEY);
  }

  /**
   * The caller, if allowed to submit and cancel jobs in all these namespaces.
   *
   * @throws ForbiddenException naming the first namespace that is not allowed
   */
  public Caller submitterIn(Iterable<String> namespaces) {
    Caller caller = get();
    for (String namespace : namespaces) {
      if (!caller.maySubmitIn(namespace)) {
        throw new ForbiddenException(
            "%s, a %s, may not submit or cancel jobs in namespace %s"
                .formatted(caller.name(), caller.role().word(), namespace));
      }
    }
    return caller;
  }
}
