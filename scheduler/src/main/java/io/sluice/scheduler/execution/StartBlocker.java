// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.admission.explain.Blocker.Cure;

/**
 * A cause outside its job for which an admitted attempt does not start. The executor retries with
 * exponential backoff until the attempt starts or is told to end: no blocker fails a job.
 */
public enum StartBlocker {
  /** The API server of the cluster does not answer. */
  CLUSTER_UNREACHABLE(Cure.TIME),
  /** Sluice's account lacks a right; in most cases its roles are not bound in the namespace. */
  NOT_PERMITTED(Cure.QUOTA),
  /** The namespace does not exist in the cluster. */
  NAMESPACE_MISSING(Cure.QUOTA),
  /** The namespace is being deleted. */
  NAMESPACE_TERMINATING(Cure.TIME),
  /** A ResourceQuota of the namespace is used up. */
  NAMESPACE_QUOTA(Cure.TIME),
  /** An admission policy or webhook of the cluster denies the object. */
  ADMISSION_DENIED(Cure.QUOTA),
  /** An admission webhook of the cluster does not answer. */
  WEBHOOK_UNAVAILABLE(Cure.TIME),
  /** The cluster has no such kind: its CRD is not installed. */
  KIND_MISSING(Cure.QUOTA),
  /** Another object already has the name. */
  NAME_TAKEN(Cure.USER),
  /** The API server refuses Sluice's edit of an existing object. */
  EDIT_REFUSED(Cure.QUOTA);

  private final Cure cure;

  StartBlocker(Cure cure) {
    this.cure = cure;
  }

  /** Returns the cure; {@link Cure#QUOTA} stands for an administrator. */
  public Cure cure() {
    return cure;
  }
}
