// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds that {@code get} accepts, with their names. */
public enum Kinds {
  JOBS("jobs job j"),
  CLUSTER_QUEUES("clusterqueues clusterqueue cq queues"),
  LOCAL_QUEUES("localqueues localqueue lq"),
  COHORTS("cohorts cohort"),
  TOPOLOGIES("topologies topology"),
  FLAVORS("resourceflavors resourceflavor rf flavors flavor"),
  PRIORITY_CLASSES("workloadpriorityclasses workloadpriorityclass wpc priorityclasses"),
  COMPUTE_CLASSES("computeclasses computeclass cc"),
  BOOKINGS("bookings booking"),
  OUTAGES("outages outage"),
  TEAMS("teams team"),
  ROLE_BINDINGS("rolebindings rolebinding rb"),
  FLEET("slices slice fleet"),
  HOSTS("hosts host"),
  ALLOCATIONS("allocations allocation"),
  EVENTS("events event"),
  ATTEMPTS("attempts attempt"),
  PENDING("pendingworkloads pending"),
  PIPELINES("pipelines pipeline pl"),
  RUNS("runs run"),
  BACKFILLS("backfills backfill"),
  PLAN("plan plans"),
  ACCURACY("accuracy accuracies");

  private final String words;

  Kinds(String words) {
    this.words = words;
  }

  private List<String> words() {
    return List.of(words.split(" ", -1));
  }

  /** Whether a lower-case word is one of the names. */
  public boolean isCalled(String word) {
    return words().contains(word);
  }

  /** Returns the plural, as in paths. */
  public String plural() {
    return words().get(0);
  }

  /** Returns the singular, as in the prefix of names. */
  public String singular() {
    return words().get(1);
  }

  /**
   * Returns the kind with which the server resolves names; null: names of the kind have no
   * namespaces.
   */
  public @Nullable NamedKind named() {
    return switch (this) {
      case JOBS -> NamedKind.JOB;
      case RUNS -> NamedKind.RUN;
      case PIPELINES -> NamedKind.PIPELINE;
      case LOCAL_QUEUES -> NamedKind.LOCAL_QUEUE;
      default -> null;
    };
  }

  public static Kinds parse(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    for (Kinds kind : values()) {
      if (kind.isCalled(lower)) {
        return kind;
      }
    }
    throw new WrongUsageException("there is no kind " + word + ": one of " + all());
  }

  static String all() {
    return String.join(", ", List.of(values()).stream().map(Kinds::plural).toList());
  }

  public boolean quotaObjects() {
    return switch (this) {
      case CLUSTER_QUEUES,
          LOCAL_QUEUES,
          COHORTS,
          TOPOLOGIES,
          FLAVORS,
          PRIORITY_CLASSES,
          COMPUTE_CLASSES,
          BOOKINGS,
          OUTAGES,
          TEAMS,
          ROLE_BINDINGS ->
          true;
      case JOBS,
          FLEET,
          HOSTS,
          ALLOCATIONS,
          EVENTS,
          ATTEMPTS,
          PENDING,
          PIPELINES,
          RUNS,
          BACKFILLS,
          PLAN,
          ACCURACY ->
          false;
    };
  }
}
