// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import com.fasterxml.jackson.databind.JsonNode;

/** Formats names that commands accept, such as {@code job/ID} or {@code clusterqueue/NAME}. */
public final class ObjectNames {
  private ObjectNames() {}

  public static String of(Kinds kinds, JsonNode item) {
    return switch (kinds) {
      case JOBS, RUNS, BACKFILLS -> kinds.singular() + "/" + item.path("id").asText();
      case PENDING -> "job/" + item.path("metadata").path("uid").asText();
      case LOCAL_QUEUES, PIPELINES ->
          kinds.singular()
              + "/"
              + item.path("metadata").path("namespace").asText()
              + "/"
              + name(item);
      case EVENTS, ATTEMPTS, ALLOCATIONS, PLAN, ACCURACY ->
          throw new WrongUsageException(
              "-o name is not for " + kinds.plural() + ": no command takes one");
      case CLUSTER_QUEUES,
          COHORTS,
          TOPOLOGIES,
          FLAVORS,
          PRIORITY_CLASSES,
          COMPUTE_CLASSES,
          BOOKINGS,
          OUTAGES,
          TEAMS,
          ROLE_BINDINGS,
          FLEET,
          HOSTS ->
          kinds.singular() + "/" + name(item);
    };
  }

  /** Returns the name without its kind, as {@link #of} gives it. */
  public static String withoutKind(Kinds kinds, String written) {
    String prefix = kinds.singular() + "/";
    return written.startsWith(prefix) ? written.substring(prefix.length()) : written;
  }

  /** Returns the name; hosts and slices have no metadata. */
  private static String name(JsonNode item) {
    return item.path("metadata").path("name").asText(item.path("name").asText());
  }
}
