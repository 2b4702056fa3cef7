// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.quota.policy.PodRules;

/**
 * A role for some namespaces.
 *
 * @param namespaces all, if the role is only given for all
 * @param pods what pods of jobs may use that are submitted by it
 */
public record Grant(Role role, NamespaceScope namespaces, PodRules pods) {
  public Grant {
    namespaces = role.needsAllNamespaces() ? NamespaceScope.ALL : namespaces;
  }

  /** A role with the usual rules for pods: only an administrator's have no bounds. */
  public Grant(Role role, NamespaceScope namespaces) {
    this(
        role,
        namespaces,
        role.permits(Right.ADMINISTER) ? PodRules.UNRESTRICTED : PodRules.BASELINE);
  }

  /** The namespaces for which it gives a right. */
  NamespaceScope scope(Right right) {
    return role.permits(right) ? namespaces : NamespaceScope.NONE;
  }
}
