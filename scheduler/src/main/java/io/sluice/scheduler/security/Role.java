// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.InvalidValueException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The rights of a caller; each role includes the rights of those before it. */
public enum Role {
  /** May read. */
  VIEWER,
  /** May submit and cancel jobs, in its namespaces. */
  SUBMITTER,
  /** May do everything. */
  ADMIN;

  /** For annotations of endpoints, which name the lowest role that they require. */
  public static final String VIEWERS = "viewer";

  public static final String SUBMITTERS = "submitter";
  public static final String ADMINS = "admin";

  /** The word for it in files and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
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
    throw new InvalidValueException("role must be admin, submitter or viewer, it is " + word);
  }

  /** The words of all roles that this one includes. */
  Set<String> includes() {
    Set<String> words = new TreeSet<>();
    for (Role role : values()) {
      if (role.compareTo(this) <= 0) {
        words.add(role.word());
      }
    }
    return words;
  }
}
