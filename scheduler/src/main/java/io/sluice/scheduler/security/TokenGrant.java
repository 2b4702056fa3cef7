// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A valid token and its caller.
 *
 * @param digest SHA-256 of the token, in hexadecimal digits
 * @param expiresAt time from which it is refused; null: never
 */
public record TokenGrant(Caller caller, String digest, @Nullable Instant expiresAt) {
  public boolean expired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }
}
