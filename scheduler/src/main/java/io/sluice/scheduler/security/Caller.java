// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The sender of a request.
 *
 * @param namespaces for which it has its role
 */
public record Caller(String name, Role role, NamespaceScope namespaces) {
  /** Stands for all namespaces. */
  public static final String ALL = "*";

  /** The server itself, for actions without a request. */
  public static final Caller SERVER = new Caller("server", Role.ADMIN, NamespaceScope.ALL);

  public Caller {
    namespaces = role.needsAllNamespaces() ? NamespaceScope.ALL : namespaces;
  }

  /** A caller with these namespaces, where {@link #ALL} stands for all. */
  public Caller(String name, Role role, List<String> namespaces) {
    this(name, role, NamespaceScope.of(namespaces));
  }

  /** The namespaces for which the caller has a right. */
  public NamespaceScope scope(Right right) {
    return role.permits(right) ? namespaces : NamespaceScope.NONE;
  }

  /** Whether the caller has a right in a namespace. */
  public boolean may(Right right, String namespace) {
    return scope(right).contains(namespace);
  }

  /** Whether the caller has a right in all namespaces; rights without a namespace need that. */
  public boolean mayEverywhere(Right right) {
    return scope(right).isAll();
  }

  /** The name and the role, as messages name a caller: {@code ann, a viewer}. */
  public String described() {
    String article = "aeiou".indexOf(role.word().charAt(0)) < 0 ? "a " : "an ";
    return name + ", " + article + role.word();
  }

  /** The words by which endpoints require rights that this caller has somewhere. */
  Set<String> words() {
    Set<String> words = new TreeSet<>();
    words.add(Right.READS);
    for (Right right : Right.values()) {
      boolean ofNamespace = right == Right.SUBMIT || right == Right.OPERATE;
      if (ofNamespace ? !scope(right).equals(NamespaceScope.NONE) : mayEverywhere(right)) {
        words.add(right.word());
      }
    }
    if (mayEverywhere(Right.READ)) {
      words.add(Right.READS_ALL);
    }
    return words;
  }
}
