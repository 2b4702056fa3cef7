// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.InvalidValueException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A set of rights that is given to a caller for some namespaces, or for all. Ordered by how much
 * they permit.
 */
public enum Role {
  /** Reads. */
  VIEWER(Right.READ),
  /** Reads, submits jobs, and operates on all jobs of its namespaces. */
  SUBMITTER(Right.READ, Right.SUBMIT, Right.OPERATE),
  /** Reads, and operates on jobs without the right to submit any; with all namespaces, on hosts. */
  OPERATOR(Right.READ, Right.OPERATE, Right.MAINTAIN),
  /** Does what a submitter does, and divides the quota of a team; only a team gives this role. */
  TEAM_ADMINISTRATOR(Right.READ, Right.SUBMIT, Right.OPERATE, Right.DIVIDE),
  /** Reads all namespaces, the audit log and the journal. */
  AUDITOR(Right.READ, Right.AUDIT),
  /** Does everything. */
  ADMIN(Right.values());

  @SuppressWarnings("ImmutableEnumChecker") // unmodifiable, which its type cannot say
  private final Set<Right> rights;

  Role(Right... rights) {
    EnumSet<Right> set = EnumSet.noneOf(Right.class);
    Collections.addAll(set, rights);
    this.rights = Collections.unmodifiableSet(set);
  }

  /** The word for it in files and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Parses a role.
   *
   * @throws InvalidValueException if there is none of that name
   */
  public static Role of(String word) {
    for (Role role : values()) {
      if (role.word().equals(word)) {
        return role;
      }
    }
    throw new InvalidValueException(
        "role must be one of %s, it is %s"
            .formatted(
                Arrays.stream(values())
                    .filter(Role::isGivenAlone)
                    .map(Role::word)
                    .collect(Collectors.joining(", ")),
                word));
  }

  /** Whether the role permits an operation. */
  boolean permits(Right right) {
    return rights.contains(right);
  }

  /** Whether the role is only given for all namespaces. */
  boolean needsAllNamespaces() {
    return this == AUDITOR || this == ADMIN;
  }

  /** Whether tokens and bindings may give the role. */
  public boolean isGivenAlone() {
    return this != TEAM_ADMINISTRATOR;
  }

  /** Whether a caller with this role and no namespaces could do nothing. */
  boolean needsNamespaces() {
    return this == SUBMITTER || this == OPERATOR;
  }
}
