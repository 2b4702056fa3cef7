// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.util.Locale;

/** A kind of operation that a {@link Role} permits. */
public enum Right {
  /** Read jobs and pipelines of a namespace, with all that belongs to them. */
  READ,
  /** Submit jobs to a namespace; save and start pipelines in it. */
  SUBMIT,
  /** Hold, release, cancel and prioritize jobs of a namespace, and pause its schedules. */
  OPERATE,
  /** Drain and return hosts and slices. */
  MAINTAIN,
  /** Read the audit log and the journal. */
  AUDIT,
  /** Divide the quota of a team among its queues. */
  DIVIDE,
  /** Change quota and everything else. */
  ADMINISTER;

  /**
   * For annotations of endpoints. A caller with {@link #READ} in no namespace also passes: it reads
   * quota and fleet, and finds no jobs.
   */
  public static final String READS = "read";

  public static final String SUBMITS = "submit";
  public static final String OPERATES = "operate";
  public static final String MAINTAINS = "maintain";
  public static final String AUDITS = "audit";
  public static final String DIVIDES = "divide";
  public static final String ADMINISTERS = "administer";

  /** For endpoints whose answers cannot be confined to namespaces. */
  public static final String READS_ALL = "read-all";

  /** The operation in a message, as in {@code may not read jobs and pipelines}. */
  String verb() {
    return switch (this) {
      case READ -> "read jobs and pipelines";
      case SUBMIT -> "submit jobs or change pipelines";
      case OPERATE -> "operate on jobs";
      case MAINTAIN -> "maintain hosts and slices";
      case AUDIT -> "read the audit log";
      case DIVIDE -> "divide quota";
      case ADMINISTER -> "administer";
    };
  }

  /** Whether endpoints that require it check its namespace themselves. */
  boolean isOfNamespace() {
    return this == SUBMIT || this == OPERATE || this == DIVIDE;
  }

  /** The word for it in annotations and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
