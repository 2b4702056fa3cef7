// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;

/**
 * The smallest change that would let a job start.
 *
 * <p>An {@link Explainer} names the first part only, as its closest obstacle asks for it. {@link
 * io.sluice.admission.preview.ChangeSearch} finds all parts and verifies them on a trial.
 *
 * @param parts all of them are needed; none unless the verdict is {@link Verdict#CHANGE}
 */
public record SmallestChange(Verdict verdict, List<Part> parts) {
  /** Time alone lets the job start. */
  public static final SmallestChange WAIT = new SmallestChange(Verdict.WAIT, List.of());

  /** No addition lets the job start. */
  public static final SmallestChange NONE = new SmallestChange(Verdict.NONE, List.of());

  /** The search met its bounds. */
  public static final SmallestChange UNKNOWN = new SmallestChange(Verdict.UNKNOWN, List.of());

  public SmallestChange {
    parts = List.copyOf(parts);
    if (parts.isEmpty() == (verdict == Verdict.CHANGE)) {
      throw new IllegalArgumentException(verdict + " with " + parts.size() + " parts");
    }
  }

  static SmallestChange of(Kind kind, String subject, ResourceName resource, long amount) {
    return of(List.of(new Part(kind, subject, resource, amount)));
  }

  /** A change of several parts. */
  public static SmallestChange of(List<Part> parts) {
    return new SmallestChange(Verdict.CHANGE, parts);
  }

  /** The name of its first part's subject; empty without parts. */
  public String subject() {
    return parts.isEmpty() ? "" : parts.get(0).subject();
  }

  /** Whether a change is needed, and known. */
  public enum Verdict {
    /** The parts, all together, let the job start. */
    CHANGE,
    /** Nothing but time is needed. */
    WAIT,
    /** The engine found no addition of quota, slices or nodes that lets the job start. */
    NONE,
    /** More jobs compete for an addition than a trial holds, or the trial took too long. */
    UNKNOWN
  }

  /**
   * One part of a change.
   *
   * @param subject name of the flavor, queue, namespace, class or job to change; never empty
   * @param resource of quota, else {@code google.com/tpu}
   * @param amount how much more: of the resource in its counted unit, slices, pods, or jobs; 0
   *     where the change has no amount
   */
  public record Part(Kind kind, String subject, ResourceName resource, long amount) {}

  /** What to change. */
  public enum Kind {
    /** Give the queue so much more nominal quota of the flavor. */
    ADD_QUOTA,
    /** Give the fleet so many more slices of the flavor, or free as many. */
    ADD_SLICES,
    /** Give the flavor nodes for so many more pods, or free as many, close enough together. */
    ADD_NODES,
    /** Let the job's pods be placed by a topology that the queue's flavors have. */
    CHANGE_TOPOLOGY_REQUEST,
    /** Write the compute class that the job names, or give it a rung that its queue has. */
    CHANGE_COMPUTE_CLASS,
    /** Release the job. */
    RELEASE_JOB,
    /** Let the LocalQueue run so many more jobs of one submitter, or end as many. */
    RAISE_SUBMITTER_LIMIT,
    /** Let the queue admit again. */
    RESUME_QUEUE,
    /** Open the queue to the namespace. */
    SELECT_NAMESPACE,
    /** Let the job's pods tolerate the flavor's taints. */
    ADD_TOLERATION,
    /** Let the job's pods select what the flavor's nodes have. */
    CHANGE_NODE_SELECTOR
  }
}
