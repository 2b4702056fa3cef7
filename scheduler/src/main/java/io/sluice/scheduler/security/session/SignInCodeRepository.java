// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.SignIn;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rows of sign-in codes. Every method takes part in the caller's transaction. */
@ApplicationScoped
public class SignInCodeRepository implements PanacheRepositoryBase<SignInCodeEntity, String> {
  void insert(String digest, SignIn signIn, Instant expiresAt) {
    SignInCodeEntity row = new SignInCodeEntity();
    row.digest = digest;
    row.caller = signIn.caller().name();
    row.groups = signIn.caller().groups().toArray(String[]::new);
    row.tokenDigest = signIn.tokenDigest();
    row.credentialUntil = signIn.until();
    row.expiresAt = expiresAt;
    persistAndFlush(row);
    getEntityManager().detach(row);
  }

  /** Removes the codes that have expired. */
  void removeExpired(Instant now) {
    delete("expiresAt <= ?1", now);
  }

  /**
   * Takes a code: of several requests with the same code, one gets it.
   *
   * @return the sign-in for which it was made, without roles; null: there is no such code
   */
  @Nullable SignIn take(String digest, Instant now) {
    SignInCodeEntity row = find("digest = ?1 and expiresAt > ?2", digest, now).firstResult();
    if (row == null) {
      return null;
    }
    getEntityManager().detach(row);
    return delete("digest", digest) == 0
        ? null
        : new SignIn(
            new Caller(row.caller, new TreeSet<>(List.of(row.groups)), List.of()),
            row.credentialUntil,
            row.tokenDigest,
            null);
  }
}
