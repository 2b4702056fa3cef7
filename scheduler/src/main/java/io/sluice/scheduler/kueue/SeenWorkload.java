// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.store.cluster.KueuePlace;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A Workload of Kueue that has not ended.
 *
 * @param owner the object that it stands for, as {@code Job/train}; empty: none
 * @param standing its outcome in an import
 * @param reason why it is not imported; empty if it is
 * @param place of its owner in the queue; null: it does not wait, or cannot be imported
 * @param usage the quota that it holds
 */
public record SeenWorkload(
    String namespace,
    String name,
    String owner,
    Standing standing,
    String reason,
    @Nullable KueuePlace place,
    Usage usage) {
  /** Evictions that put a workload at the end of its queue in Kueue. */
  private static final Set<String> BEHIND = Set.of("PodsReadyTimeout", "AdmissionCheck");

  /** The outcome of an import for a workload. */
  public enum Standing {
    /** Its owner is adopted and waits. */
    WAITS,
    /** Its owner is adopted and held, because the workload is inactive in Kueue. */
    HELD,
    /** Kueue has admitted it: it ends under Kueue. */
    RUNS,
    /** Its owner is of a kind that cannot be adopted. */
    LEFT
  }

  /** A part of quota that can be held: a resource of a flavor in a ClusterQueue. */
  public record Holding(String clusterQueue, String flavor, String resource)
      implements Comparable<Holding> {
    @Override
    public int compareTo(Holding other) {
      int order = clusterQueue.compareTo(other.clusterQueue);
      order = order != 0 ? order : flavor.compareTo(other.flavor);
      return order != 0 ? order : resource.compareTo(other.resource);
    }
  }

  /** Amounts in the units of their resources. */
  public record Usage(Map<Holding, Long> amounts) {
    static final Usage NONE = new Usage(Map.of());

    public Usage {
      amounts = Map.copyOf(amounts);
    }
  }

  /**
   * Parses a workload from its API object; null: it has ended.
   *
   * @param kinds that can be adopted, as {@code batch/Job}
   */
  public static @Nullable SeenWorkload of(JsonNode workload, Set<String> kinds) {
    if (isTrue(workload, "Finished") || workload.path("metadata").has("deletionTimestamp")) {
      return null;
    }
    JsonNode owner = owner(workload);
    String word = owner == null ? "" : text(owner, "kind") + "/" + text(owner, "name");
    // With quota reserved but not admitted, it waits for its checks, with its owner suspended.
    if (isTrue(workload, "Admitted")) {
      return seen(workload, word, Standing.RUNS, "", null);
    }
    String why = whyLeft(owner, kinds);
    UUID uid = owner == null ? null : uid(owner);
    if (!why.isEmpty() || uid == null) {
      String reason = why.isEmpty() ? "its owner has no uid" : why;
      return seen(workload, word, Standing.LEFT, reason, null);
    }
    boolean held = !workload.path("spec").path("active").asBoolean(true);
    KueuePlace place =
        new KueuePlace(uid, since(workload), workload.path("spec").path("priority").asInt(), held);
    return seen(workload, word, held ? Standing.HELD : Standing.WAITS, "", place);
  }

  private static SeenWorkload seen(
      JsonNode workload,
      String owner,
      Standing standing,
      String reason,
      @Nullable KueuePlace place) {
    JsonNode metadata = workload.path("metadata");
    return new SeenWorkload(
        text(metadata, "namespace"),
        text(metadata, "name"),
        owner,
        standing,
        reason,
        place,
        standing == Standing.RUNS ? usage(workload.path("status").path("admission")) : Usage.NONE);
  }

  private static @Nullable JsonNode owner(JsonNode workload) {
    for (JsonNode owner : workload.path("metadata").path("ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return owner;
      }
    }
    return workload.path("metadata").path("ownerReferences").get(0);
  }

  private static String whyLeft(@Nullable JsonNode owner, Set<String> kinds) {
    if (owner == null) {
      return "nothing owns it";
    }
    String group = text(owner, "apiVersion").replaceFirst("/?[^/]*$", "");
    String kind = text(owner, "kind");
    return kinds.contains(group + "/" + kind)
        ? ""
        : "objects of kind " + kind + " are not taken in";
  }

  private static @Nullable UUID uid(JsonNode owner) {
    try {
      return UUID.fromString(text(owner, "uid"));
    } catch (IllegalArgumentException none) {
      return null;
    }
  }

  /** The time by which Kueue orders workloads of one priority. */
  private static Instant since(JsonNode workload) {
    Instant created = instant(workload.path("metadata").path("creationTimestamp"), Instant.EPOCH);
    JsonNode evicted = condition(workload, "Evicted");
    return evicted != null && BEHIND.contains(text(evicted, "reason"))
        ? instant(evicted.path("lastTransitionTime"), created)
        : created;
  }

  private static Instant instant(JsonNode written, Instant otherwise) {
    try {
      return Instant.parse(written.asText());
    } catch (DateTimeException none) {
      return otherwise;
    }
  }

  private static Usage usage(JsonNode admission) {
    String queue = text(admission, "clusterQueue");
    Map<Holding, Long> amounts = new TreeMap<>();
    for (JsonNode podSet : admission.path("podSetAssignments")) {
      for (Map.Entry<String, JsonNode> used : podSet.path("resourceUsage").properties()) {
        String resource = used.getKey();
        Holding holding = new Holding(queue, text(podSet.path("flavors"), resource), resource);
        amounts.merge(holding, amount(used.getValue().asText(), resource), Long::sum);
      }
    }
    return new Usage(amounts);
  }

  /** An unreadable amount counts as zero: it is only shown, and decides nothing. */
  private static long amount(String written, String resource) {
    try {
      return Quantities.parse(written, new ResourceName(resource));
    } catch (InvalidValueException none) {
      return 0;
    }
  }

  private static boolean isTrue(JsonNode workload, String type) {
    JsonNode condition = condition(workload, type);
    return condition != null && text(condition, "status").equals("True");
  }

  private static @Nullable JsonNode condition(JsonNode workload, String type) {
    for (JsonNode condition : workload.path("status").path("conditions")) {
      if (text(condition, "type").equals(type)) {
        return condition;
      }
    }
    return null;
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asText("");
  }
}
