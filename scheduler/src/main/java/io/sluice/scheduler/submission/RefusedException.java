// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.quota.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was asked contradicts what there is; nothing was stored. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  /** Why. */
  public enum Kind {
    /** It names what is not there or asks for what can never be had. */
    UNPROCESSABLE,
    /** It collides with what is there. */
    CONFLICT,
    /** What it is about is not there. */
    NOT_FOUND,
    /** What it is about is not as its precondition says. */
    STALE,
    /** A limit is reached that gives way when other jobs of the submitter are admitted or end. */
    LIMIT_REACHED,
    /** There is too much to do; it may be tried again. */
    OVERLOADED
  }

  /**
   * Why, in words.
   *
   * @param violations fields at fault, if it is a matter of fields
   * @param generation that the object has, if it is stale; else null
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

  /** An object is of another generation than it should be. */
  static RefusedException stale(ObjectKey key, long generation) {
    String detail =
        "%s is at generation %d, which is none that was asked for".formatted(key, generation);
    return new RefusedException(new Refusal(Kind.STALE, detail, List.of(), generation));
  }

  public Refusal refusal() {
    return refusal;
  }
}
