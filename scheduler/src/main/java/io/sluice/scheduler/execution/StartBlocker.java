// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.admission.explain.Blocker.Cure;

/**
 * Why an admitted attempt does not start although nothing is wrong with its job. The executor tries
 * again, with exponential back-off, until it starts or is told to end: none of these fails a job.
 */
public enum StartBlocker {
  /** The API server of the cluster does not answer. */
  CLUSTER_UNREACHABLE(Cure.TIME),
  /** Sluice's account lacks a right, in most cases since its roles are not bound there. */
  NOT_PERMITTED(Cure.QUOTA),
  /** The namespace is not in the cluster. */
  NAMESPACE_MISSING(Cure.QUOTA),
  /** The namespace is being deleted. */
  NAMESPACE_TERMINATING(Cure.TIME),
  /** A ResourceQuota of the namespace is used up. */
  NAMESPACE_QUOTA(Cure.TIME),
  /** An admission policy or webhook of the cluster denies what would be created. */
  ADMISSION_DENIED(Cure.QUOTA),
  /** An admission webhook of the cluster does not answer. */
  WEBHOOK_UNAVAILABLE(Cure.TIME),
  /** The cluster has no such kind: its CRD is not installed. */
  KIND_MISSING(Cure.QUOTA),
  /** Another object has the name. */
  NAME_TAKEN(Cure.USER),
  /** The API server does not take what Sluice would write into an object that is there. */
  EDIT_REFUSED(Cure.QUOTA);

  private final Cure cure;

  StartBlocker(Cure cure) {
    this.cure = cure;
  }

  /** Who or what could cure it; {@link Cure#QUOTA} stands for an administrator. */
  public Cure cure() {
    return cure;
  }
}
