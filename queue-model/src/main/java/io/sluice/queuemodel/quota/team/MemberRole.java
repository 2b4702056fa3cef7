// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.team;

/** The role of a member of a team, for the namespaces of the team. */
public enum MemberRole {
  VIEWER("viewer"),
  SUBMITTER("submitter"),
  OPERATOR("operator"),
  /** Divides the quota of the team among its queues. */
  ADMINISTRATOR("administrator");

  private final String word;

  MemberRole(String word) {
    this.word = word;
  }

  /** The word in manifests. */
  public String word() {
    return word;
  }
}
