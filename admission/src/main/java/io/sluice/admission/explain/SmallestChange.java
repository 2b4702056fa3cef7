// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;

/**
 * The smallest change that would let a job start.
 *
 * <p>An {@link Explainer} names only one part, derived from the closest obstacle. {@link
 * io.sluice.admission.preview.ChangeSearch} finds all parts and verifies them by a trial.
 *
 * @param parts changes that are needed together; empty unless the verdict is {@link Verdict#CHANGE}
 */
public record SmallestChange(Verdict verdict, List<Part> parts) {
  /** Time alone lets the job start. */
  public static final SmallestChange WAIT = new SmallestChange(Verdict.WAIT, List.of());

  /** No addition lets the job start. */
  public static final SmallestChange NONE = new SmallestChange(Verdict.NONE, List.of());

  /** The search reached its limits. */
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

  /** Creates a change of several parts. */
  public static SmallestChange of(List<Part> parts) {
    return new SmallestChange(Verdict.CHANGE, parts);
  }

  /** Returns the subject of the first part; empty without parts. */
  public String subject() {
    return parts.isEmpty() ? "" : parts.get(0).subject();
  }

  /** Whether a change is needed and known. */
  public enum Verdict {
    /** All parts together let the job start. */
    CHANGE,
    /** Only time is needed. */
    WAIT,
    /** The engine found no addition of quota, slices or nodes that lets the job start. */
    NONE,
    /** Too many jobs compete for an addition, or the trial took too long. */
    UNKNOWN
  }

  /**
   * One part of a change.
   *
   * @param subject name of the flavor, queue, namespace, class or job to change; never empty
   * @param resource resource of the quota, else {@code google.com/tpu}
   * @param amount additional amount, in the counted unit of the resource, slices, pods or jobs; 0
   *     if the change has no amount
   */
  public record Part(Kind kind, String subject, ResourceName resource, long amount) {}

  /** What to change. */
  public enum Kind {
    /** Add nominal quota of the flavor to the queue. */
    ADD_QUOTA,
    /** Add slices of the flavor to the fleet, or free as many. */
    ADD_SLICES,
    /** Add nodes of the flavor, close enough together, for more pods, or free as many. */
    ADD_NODES,
    /** Request a topology that the queue's flavors have. */
    CHANGE_TOPOLOGY_REQUEST,
    /** Create the compute class that the job names, or add a rung that its queue has. */
    CHANGE_COMPUTE_CLASS,
    /** Release the job. */
    RELEASE_JOB,
    /** Raise the limit of running jobs per submitter in the LocalQueue, or end as many jobs. */
    RAISE_SUBMITTER_LIMIT,
    /** Let the queue admit again. */
    RESUME_QUEUE,
    /** Let the queue select the namespace. */
    SELECT_NAMESPACE,
    /** Add tolerations of the flavor's taints to the job's pods. */
    ADD_TOLERATION,
    /** Change the job's node selectors to labels that the flavor's nodes have. */
    CHANGE_NODE_SELECTOR
  }
}
