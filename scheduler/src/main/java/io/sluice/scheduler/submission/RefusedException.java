// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.quota.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request was refused because of stored objects or limits; nothing was stored. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  /** The kind of a refusal. */
  public enum Kind {
    /**
     * It names an object that does not exist, or requests something that can never be satisfied.
     */
    UNPROCESSABLE,
    /** The present state of its object does not allow it. */
    CONFLICT,
    /** It would create an object that exists. */
    ALREADY_EXISTS,
    /** It would delete an object that others use. */
    IN_USE,
    /** Its idempotency key was used for a different request. */
    KEY_REUSED,
    /** Its object does not exist. */
    NOT_FOUND,
    /** Its object fails the precondition. */
    STALE,
    /** A limit is reached; it frees when other jobs of the submitter are admitted or end. */
    LIMIT_REACHED,
    /** The server is overloaded; a later retry may succeed. */
    OVERLOADED
  }

  /**
   * The reason for a refusal.
   *
   * @param violations the fields at fault, if any
   * @param generation the object's present generation, if it is stale and has one; else null
   */
  public record Refusal(
      Kind kind, String detail, List<Violation> violations, @Nullable Long generation) {
    public Refusal {
      violations = List.copyOf(violations);
    }
  }

  public RefusedException(Kind kind, String detail) {
    super(detail);
    refusal = new Refusal(kind, detail, List.of(), null);
  }

  public RefusedException(List<Violation> violations) {
    super(violations.get(0).toString());
    refusal = new Refusal(Kind.UNPROCESSABLE, violations.get(0).toString(), violations, null);
  }

  private RefusedException(Refusal refusal) {
    super(refusal.detail());
    this.refusal = refusal;
  }

  /** The object's generation does not match the precondition. */
  static RefusedException stale(ObjectKey key, long generation) {
    return stale(
        "%s is at generation %d, which is none that was asked for".formatted(key, generation),
        generation);
  }

  /**
   * An object does not match the precondition.
   *
   * @param generation of the object; null: it has none
   */
  public static RefusedException stale(String detail, @Nullable Long generation) {
    return new RefusedException(new Refusal(Kind.STALE, detail, List.of(), generation));
  }

  public Refusal refusal() {
    return refusal;
  }
}
