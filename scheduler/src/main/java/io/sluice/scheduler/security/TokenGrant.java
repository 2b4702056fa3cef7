// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token that is known.
 *
 * @param digest SHA-256 of the token, in hexadecimal digits
 * @param expiresAt from when on it is refused; null: never
 */
record TokenGrant(Caller caller, String digest, @Nullable Instant expiresAt) {
  boolean expired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }
}
