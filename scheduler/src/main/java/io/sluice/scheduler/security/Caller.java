// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.util.List;

/**
 * Who asked.
 *
 * @param namespaces in which a submitter may submit; {@code *} stands for all
 */
public record Caller(String name, Role role, List<String> namespaces) {
  /** Every namespace. */
  public static final String ALL = "*";

  /** The server itself, for what it does unasked. */
  public static final Caller SERVER = new Caller("server", Role.ADMIN, List.of(ALL));

  public Caller {
    namespaces = List.copyOf(namespaces);
  }

  /** Whether it may submit and cancel jobs there. */
  public boolean maySubmitIn(String namespace) {
    return switch (role) {
      case ADMIN -> true;
      case SUBMITTER -> namespaces.contains(ALL) || namespaces.contains(namespace);
      case VIEWER -> false;
    };
  }
}
