// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.team;

/** The role that a role binding gives. */
public enum BindingRole {
  VIEWER("viewer"),
  SUBMITTER("submitter"),
  OPERATOR("operator"),
  AUDITOR("auditor"),
  ADMIN("admin");

  private final String word;

  BindingRole(String word) {
    this.word = word;
  }

  /** The word in manifests. */
  public String word() {
    return word;
  }

  /** Whether the role is for all namespaces, so that a binding names none. */
  public boolean isOfAllNamespaces() {
    return this == AUDITOR || this == ADMIN;
  }
}
