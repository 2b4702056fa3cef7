// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

/**
 * A role for some namespaces.
 *
 * @param namespaces all, if the role is only given for all
 */
public record Grant(Role role, NamespaceScope namespaces) {
  public Grant {
    namespaces = role.needsAllNamespaces() ? NamespaceScope.ALL : namespaces;
  }

  /** The namespaces for which it gives a right. */
  NamespaceScope scope(Right right) {
    return role.permits(right) ? namespaces : NamespaceScope.NONE;
  }
}
