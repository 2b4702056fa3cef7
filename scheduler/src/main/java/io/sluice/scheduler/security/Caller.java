// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.util.List;

/**
 * The sender of a request.
 *
 * @param namespaces in which a submitter may submit; {@code *} stands for all
 */
public record Caller(String name, Role role, List<String> namespaces) {
  /** Stands for all namespaces. */
  public static final String ALL = "*";

  /** The server itself, for actions without a request. */
  public static final Caller SERVER = new Caller("server", Role.ADMIN, List.of(ALL));

  public Caller {
    namespaces = List.copyOf(namespaces);
  }

  /** Whether the caller may submit and cancel jobs in a namespace. */
  public boolean maySubmitIn(String namespace) {
    return switch (role) {
      case ADMIN -> true;
      case SUBMITTER -> namespaces.contains(ALL) || namespaces.contains(namespace);
      case VIEWER -> false;
    };
  }
}
