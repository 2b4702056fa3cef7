// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.quota.policy.PodRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The sender of a request.
 *
 * @param groups to which the identity provider says that it belongs; empty for tokens
 * @param grants its roles; without any it may read quota and fleet only
 */
public record Caller(String name, SortedSet<String> groups, List<Grant> grants) {
  /** Stands for all namespaces. */
  public static final String ALL = "*";

  /** The server itself, for actions without a request. */
  public static final Caller SERVER = new Caller("server", Role.ADMIN, NamespaceScope.ALL);

  private static final Pattern USER_NAME = Pattern.compile("[\\p{L}\\p{N}\\p{P}\\p{S}]{1,200}");

  public Caller {
    groups = Collections.unmodifiableSortedSet(new TreeSet<>(groups));
    grants = List.copyOf(grants);
  }

  /** A caller with one role and no groups. */
  public Caller(String name, Role role, NamespaceScope namespaces) {
    this(name, Collections.emptySortedSet(), List.of(new Grant(role, namespaces)));
  }

  /** A caller with one role for these namespaces, where {@link #ALL} stands for all. */
  public Caller(String name, Role role, List<String> namespaces) {
    this(name, role, NamespaceScope.of(namespaces));
  }

  /**
   * Whether a caller may have a name that another system gives: 1 to 200 printable characters
   * without spaces, since names stand in logs, in records and in manifests of teams.
   */
  public static boolean isUserName(String name) {
    return USER_NAME.matcher(name).matches();
  }

  /** This caller with further roles. */
  Caller with(Collection<Grant> further) {
    if (further.isEmpty()) {
      return this;
    }
    List<Grant> all = new ArrayList<>(grants);
    all.addAll(further);
    return new Caller(name, groups, all);
  }

  /** The role that permits most, by which records and messages describe the caller. */
  public Role role() {
    return grants.stream().map(Grant::role).max(Comparator.naturalOrder()).orElse(Role.VIEWER);
  }

  /** The namespaces for which the caller has a role. */
  public NamespaceScope namespaces() {
    return NamespaceScope.union(grants.stream().map(Grant::namespaces).toList());
  }

  /** The namespaces for which the caller has a right. */
  public NamespaceScope scope(Right right) {
    return NamespaceScope.union(grants.stream().map(grant -> grant.scope(right)).toList());
  }

  /** Whether the caller has a right in a namespace. */
  public boolean may(Right right, String namespace) {
    return grants.stream().anyMatch(grant -> grant.scope(right).contains(namespace));
  }

  /** What pods of its jobs in a namespace may use: what any of its roles there allows. */
  public PodRules podRules(String namespace) {
    return grants.stream()
        .filter(grant -> grant.scope(Right.SUBMIT).contains(namespace))
        .map(Grant::pods)
        .reduce(PodRules.BASELINE, PodRules::or);
  }

  /**
   * The highest priority that the caller may give to jobs of a namespace, on which it may operate;
   * empty: any.
   */
  public OptionalInt priorityCeiling(String namespace) {
    OptionalInt highest = OptionalInt.empty();
    for (Grant grant : grants) {
      if (grant.scope(Right.OPERATE).contains(namespace)) {
        Integer ceiling = grant.priorityCeiling();
        if (ceiling == null) {
          return OptionalInt.empty();
        }
        highest = OptionalInt.of(Math.max(ceiling, highest.orElse(ceiling)));
      }
    }
    return highest;
  }

  /** Whether the caller has a right in all namespaces; rights without a namespace need that. */
  public boolean mayEverywhere(Right right) {
    return grants.stream().anyMatch(grant -> grant.scope(right).isAll());
  }

  private boolean maySomewhere(Right right) {
    return grants.stream().anyMatch(grant -> !grant.scope(right).equals(NamespaceScope.NONE));
  }

  /** The name and the role, as messages name a caller: {@code ann, a viewer}. */
  public String described() {
    String role = role().word();
    String article = "aeiou".indexOf(role.charAt(0)) < 0 ? "a " : "an ";
    return name + ", " + article + role;
  }

  /** The words by which endpoints require rights that this caller has somewhere. */
  Set<String> words() {
    Set<String> words = new TreeSet<>();
    words.add(Right.READS);
    for (Right right : Right.values()) {
      if (right.isOfNamespace() ? maySomewhere(right) : mayEverywhere(right)) {
        words.add(right.word());
      }
    }
    if (mayEverywhere(Right.READ)) {
      words.add(Right.READS_ALL);
    }
    return words;
  }
}
