// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tokens that servers issued and that their database keeps. */
public interface IssuedTokens {
  /** The beginning of every issued token, by which scanners for secrets recognize it. */
  String PREFIX = "sluice_";

  /** The form of an issued token: the prefix, and a {@link RandomSecret}. */
  Pattern FORM = Pattern.compile(PREFIX + RandomSecret.PATTERN);

  /**
   * The result of a search for a token.
   *
   * @param grant null if no token is known by that hash
   * @param answered false if the database did not answer, so that the result is not known
   */
  record Found(@Nullable TokenGrant grant, boolean answered) {}

  /** Searches for a token by its hash. Does not wait for the database. */
  Found find(String digest);

  /** Searches for the token of a name. Does not wait for the database. */
  Found named(String name);

  /** Whether any token is known. */
  boolean isAny();

  /** Notes that a token was accepted. */
  void used(TokenGrant grant, Instant now);
}
