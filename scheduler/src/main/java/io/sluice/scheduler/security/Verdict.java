// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import org.jspecify.annotations.Nullable;

/**
 * The result of an authentication.
 *
 * @param signIn null: the caller is not known
 * @param refusal the reason, then
 * @param kind the kind of the reason
 */
public record Verdict(@Nullable SignIn signIn, String refusal, Kind kind) {
  /** Why a caller is not known. */
  public enum Kind {
    /** It is known. */
    KNOWN,
    /** The request has no credential. */
    ABSENT,
    /** The credential is not valid. */
    REFUSED,
    /** The database does not answer; the same request may succeed later. */
    DATABASE_UNANSWERED,
    /** The identity provider does not answer; the same request may succeed later. */
    PROVIDER_UNANSWERED
  }

  /** The caller is known. */
  public static Verdict known(SignIn signIn) {
    return new Verdict(signIn, "", Kind.KNOWN);
  }

  /** The credential is not valid. */
  public static Verdict refused(String reason) {
    return new Verdict(null, reason, Kind.REFUSED);
  }

  static Verdict absent() {
    return new Verdict(null, TokenAuthentication.NEEDED, Kind.ABSENT);
  }

  static Verdict databaseUnanswered(String credential) {
    return new Verdict(
        null,
        "the database does not answer, so this server cannot check the " + credential,
        Kind.DATABASE_UNANSWERED);
  }

  /** The identity provider does not answer. */
  public static Verdict providerUnanswered(String reason) {
    return new Verdict(null, reason, Kind.PROVIDER_UNANSWERED);
  }

  /** The caller; null if it is not known. */
  @Nullable Caller caller() {
    return signIn == null ? null : signIn.caller();
  }

  /** The same verdict, with further roles. */
  Verdict with(GivenRoles roles) {
    return signIn == null ? this : known(signIn.with(roles));
  }
}
