// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The caller of the request in progress. */
@Singleton
public class CurrentCaller {
  private static final String KEY = "io.sluice.caller";

  private final CurrentVertxRequest request;
  private final Authentication authentication;

  CurrentCaller(CurrentVertxRequest request, Authentication authentication) {
    this.request = request;
    this.authentication = authentication;
  }

  static void set(RoutingContext context, SignIn signIn) {
    context.put(KEY, signIn);
  }

  /**
   * The caller.
   *
   * @throws UnauthorizedException if none is known
   */
  public Caller get() {
    return signIn().caller();
  }

  /** The caller; null if none is known. */
  public @Nullable Caller find() {
    SignIn signIn = found();
    return signIn == null ? null : signIn.caller();
  }

  /**
   * The caller, and how it proved its identity.
   *
   * @throws UnauthorizedException if none is known
   */
  public SignIn signIn() {
    SignIn signIn = found();
    if (signIn == null) {
      throw new UnauthorizedException("no caller is known");
    }
    return signIn;
  }

  private @Nullable SignIn found() {
    RoutingContext context = request.getCurrent();
    return context == null ? null : context.get(KEY);
  }

  /**
   * The caller, if it has a right in all these namespaces.
   *
   * @throws ForbiddenException naming the first namespace in which it has not
   */
  public Caller require(Right right, Iterable<String> namespaces) {
    Caller caller = get();
    NamespaceScope scope = caller.scope(right);
    for (String namespace : namespaces) {
      if (!scope.contains(namespace)) {
        throw new ForbiddenException(
            "%s, may not %s in namespace %s; its namespaces are: %s"
                .formatted(caller.described(), right.verb(), namespace, scope));
      }
    }
    return caller;
  }

  /** As {@link #require(Right, Iterable)}, for one namespace. */
  public Caller require(Right right, String namespace) {
    return require(right, List.of(namespace));
  }

  /**
   * Asks, for an answer that lasts, whether the caller may still read what it may read now: a token
   * can be revoked, and a role be taken away.
   */
  public BooleanSupplier stillReads() {
    RoutingContext context = request.getCurrent();
    NamespaceScope scope = readable();
    return () -> authentication.stillReads(context, scope);
  }

  /** The namespaces that the caller may read. */
  public NamespaceScope readable() {
    return get().scope(Right.READ);
  }

  /**
   * The namespaces that the caller may read, or the one that it asks for.
   *
   * @param asked null: all that it may read
   * @throws ForbiddenException if it may not read the one that it asks for
   */
  public NamespaceScope readable(@Nullable String asked) {
    if (asked == null) {
      return readable();
    }
    require(Right.READ, asked);
    return NamespaceScope.of(asked);
  }
}
