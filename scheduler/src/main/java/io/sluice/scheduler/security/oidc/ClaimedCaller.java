// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import io.sluice.scheduler.security.Caller;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the caller from the claims of a verified token. */
final class ClaimedCaller {
  /** Maximum number of groups; a session and each request carry them. */
  static final int GROUPS_MAX = 500;

  private static final String EMAIL = "email";
  private static final String VERIFIED = "email_verified";

  /** Accounts of clusters, and the owners of jobs that were adopted from a namespace. */
  private static final List<String> RESERVED = List.of("system:", "kubernetes:");

  private static final Pattern GROUP = Pattern.compile("[\\p{L}\\p{N}\\p{P}\\p{S} ]{1,200}");

  private final ProviderSettings.Claims claims;
  private final Predicate<String> taken;

  /**
   * A reader of claims.
   *
   * @param taken whether a name belongs to a caller with a token of Sluice
   */
  ClaimedCaller(ProviderSettings.Claims claims, Predicate<String> taken) {
    this.claims = claims;
    this.taken = taken;
  }

  /**
   * The caller.
   *
   * @throws BadJWTException if the claims name none, or one that must not come from a provider
   */
  Caller read(JWTClaimsSet token) throws BadJWTException {
    String user = claims.user();
    if (!(token.getClaim(user) instanceof String claimed) || !Caller.isUserName(claimed)) {
      throw new BadJWTException(
          "its claim %s is no name of 1 to 200 printable characters without spaces"
              .formatted(user));
    }
    Object verified = token.getClaim(VERIFIED);
    if (user.equals(EMAIL) && verified != null && !Boolean.TRUE.equals(verified)) {
      throw new BadJWTException("its claim email_verified is not true");
    }
    String name = claims.userPrefix() + claimed;
    if (RESERVED.stream().anyMatch(name::startsWith) || name.equals(Caller.SERVER.name())) {
      throw new BadJWTException("the name %s is reserved".formatted(name));
    }
    if (taken.test(name)) {
      throw new BadJWTException(
          "the name %s belongs to a caller with a token of this server; --oidc-username-prefix keeps them apart"
              .formatted(name));
    }
    return new Caller(name, groups(token.getClaim(claims.groups())), List.of());
  }

  private SortedSet<String> groups(@Nullable Object claimed) throws BadJWTException {
    Collection<?> values =
        claimed == null
            ? List.of()
            : claimed instanceof Collection<?> several ? several : List.of(claimed);
    if (values.size() > GROUPS_MAX) {
      throw new BadJWTException(
          "its claim %s has %d groups, and %d are allowed: let the provider send those that are assigned to Sluice"
              .formatted(claims.groups(), values.size(), GROUPS_MAX));
    }
    SortedSet<String> groups = new TreeSet<>();
    for (Object value : values) {
      if (!(value instanceof String group) || !GROUP.matcher(group).matches()) {
        throw new BadJWTException(
            "its claim %s is no list of names of 1 to 200 printable characters"
                .formatted(claims.groups()));
      }
      groups.add(claims.groupsPrefix() + group);
    }
    return groups;
  }
}
