// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.queuemodel.quantity.ResourceName;

/**
 * The smallest single change that would let a job start now.
 *
 * @param subject name of the flavor, queue, namespace or job it is about
 * @param resource of quota, else {@code google.com/tpu}
 * @param amount how much more: of the resource in its counted unit, slices, or jobs; 0 where it is
 *     not a matter of amounts
 */
public record SmallestChange(Kind kind, String subject, ResourceName resource, long amount) {
  /** What to change. */
  public enum Kind {
    /** Give the queue so much more quota of the flavor that nobody else uses. */
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
    CHANGE_NODE_SELECTOR,
    /** Nothing but waiting. */
    WAIT
  }
}
