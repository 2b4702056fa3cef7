// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The namespaces to which an operation is confined: all, or a set that may be empty.
 *
 * @param isAll whether it contains every namespace; {@code names} is then empty
 */
public record NamespaceScope(boolean isAll, SortedSet<String> names) {
  /** Every namespace. */
  public static final NamespaceScope ALL = new NamespaceScope(true, Collections.emptySortedSet());

  /** No namespace. */
  public static final NamespaceScope NONE = new NamespaceScope(false, Collections.emptySortedSet());

  public NamespaceScope {
    names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
  }

  /** These namespaces; {@link Caller#ALL} among them stands for all. */
  public static NamespaceScope of(Collection<String> namespaces) {
    return namespaces.contains(Caller.ALL)
        ? ALL
        : new NamespaceScope(false, new TreeSet<>(namespaces));
  }

  /** One namespace. */
  public static NamespaceScope of(String namespace) {
    return of(List.of(namespace));
  }

  /** The namespaces that are in any of these scopes. */
  static NamespaceScope union(List<NamespaceScope> scopes) {
    SortedSet<String> names = new TreeSet<>();
    for (NamespaceScope scope : scopes) {
      if (scope.isAll) {
        return ALL;
      }
      names.addAll(scope.names);
    }
    return names.isEmpty() ? NONE : new NamespaceScope(false, names);
  }

  /** Whether a namespace is among them. */
  public boolean contains(String namespace) {
    return isAll || names.contains(namespace);
  }

  /** The names, or {@link Caller#ALL} alone for every namespace. */
  public List<String> words() {
    return isAll ? List.of(Caller.ALL) : List.copyOf(names);
  }

  /** The namespaces as text: {@code all namespaces}, {@code no namespace}, or their names. */
  @Override
  public String toString() {
    return isAll ? "all namespaces" : names.isEmpty() ? "no namespace" : String.join(", ", names);
  }
}
