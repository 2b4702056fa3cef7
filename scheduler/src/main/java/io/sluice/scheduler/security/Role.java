// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.InvalidValueException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What a caller may do; each role may do what those before it may. */
public enum Role {
  /** Reads. */
  VIEWER,
  /** Submits and cancels jobs, in its namespaces. */
  SUBMITTER,
  /** Everything. */
  ADMIN;

  /** For endpoints, which name the least role that they need. */
  public static final String VIEWERS = "viewer";

  public static final String SUBMITTERS = "submitter";
  public static final String ADMINS = "admin";

  /** The word for it in files and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The role of a word.
   *
   * @throws InvalidValueException if there is none
   */
  public static Role of(String word) {
    for (Role role : values()) {
      if (role.word().equals(word)) {
        return role;
      }
    }
    throw new InvalidValueException("role must be admin, submitter or viewer, it is " + word);
  }

  /** The words of all roles whose rights this one has. */
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
