// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.quota.policy.PodRules;
import org.jspecify.annotations.Nullable;

/**
 * A role for some namespaces.
 *
 * @param namespaces all, if the role is only given for all
 * @param priorityCeiling highest priority that it permits to give to a job; null: any
 * @param pods what pods of jobs may use that are submitted by it
 */
public record Grant(
    Role role, NamespaceScope namespaces, @Nullable Integer priorityCeiling, PodRules pods) {
  /** A role that permits any priority, with the usual rules for pods. */
  public Grant(Role role, NamespaceScope namespaces) {
    this(role, namespaces, null);
  }

  /** A role with the usual rules for pods: only an administrator's have no bounds. */
  public Grant(Role role, NamespaceScope namespaces, @Nullable Integer priorityCeiling) {
    this(
        role,
        namespaces,
        priorityCeiling,
        role.permits(Right.ADMINISTER) ? PodRules.UNRESTRICTED : PodRules.BASELINE);
  }

  public Grant {
    namespaces = role.needsAllNamespaces() ? NamespaceScope.ALL : namespaces;
  }

  /** The namespaces for which it gives a right. */
  NamespaceScope scope(Right right) {
    return role.permits(right) ? namespaces : NamespaceScope.NONE;
  }
}
