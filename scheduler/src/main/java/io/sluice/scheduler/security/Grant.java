// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import org.jspecify.annotations.Nullable;

/**
 * A role for some namespaces.
 *
 * @param namespaces all, if the role is only given for all
 * @param priorityCeiling highest priority that it permits to give to a job; null: any
 */
public record Grant(Role role, NamespaceScope namespaces, @Nullable Integer priorityCeiling) {
  /** A role that permits any priority. */
  public Grant(Role role, NamespaceScope namespaces) {
    this(role, namespaces, null);
  }

  public Grant {
    namespaces = role.needsAllNamespaces() ? NamespaceScope.ALL : namespaces;
  }

  /** The namespaces for which it gives a right. */
  NamespaceScope scope(Right right) {
    return role.permits(right) ? namespaces : NamespaceScope.NONE;
  }
}
