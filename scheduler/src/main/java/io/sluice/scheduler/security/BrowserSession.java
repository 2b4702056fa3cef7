// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A session of a browser. It has no rights of its own.
 *
 * @param digest SHA-256 of its secret, in hexadecimal digits
 * @param caller name of the caller
 * @param groups of the caller, as the identity provider told at the sign-in
 * @param tokenDigest SHA-256 of the token that it was made with; null: the caller signed in at the
 *     identity provider
 * @param expiresAt time from which it is refused
 */
public record BrowserSession(
    UUID id,
    String digest,
    String caller,
    SortedSet<String> groups,
    @Nullable String tokenDigest,
    Instant expiresAt) {
  public BrowserSession {
    groups = Collections.unmodifiableSortedSet(new TreeSet<>(groups));
  }
}
