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
 * A Workload of Kueue's that has not ended.
 *
 * @param owner what it stands for, as {@code Job/train}; empty: nothing
 * @param standing what becomes of it
 * @param reason why it is left alone; empty if it is not
 * @param place where its owner stands in line; null: it does not wait, or is nobody's to take in
 * @param usage what it holds of quota
 */
public record SeenWorkload(
    String namespace,
    String name,
    String owner,
    Standing standing,
    String reason,
    @Nullable KueuePlace place,
    Usage usage) {
  /** Evictions that put a workload at the end of its line in Kueue. */
  private static final Set<String> BEHIND = Set.of("PodsReadyTimeout", "AdmissionCheck");

  /** What becomes of a workload. */
  public enum Standing {
    /** Its owner is taken in and waits. */
    WAITS,
    /** As those that wait, but Kueue was told to leave it alone. */
    HELD,
    /** Kueue has admitted it: it ends under Kueue. */
    RUNS,
    /** Its owner is of a kind that cannot be taken in. */
    LEFT
  }

  /** What can be held of quota: a resource of a flavor by a ClusterQueue. */
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
   * Reads a workload as an API server has it; null: it has ended.
   *
   * @param kinds words of what can be taken in, as {@code batch/Job}
   */
  public static @Nullable SeenWorkload of(JsonNode workload, Set<String> kinds) {
    if (isTrue(workload, "Finished") || workload.path("metadata").has("deletionTimestamp")) {
      return null;
    }
    JsonNode owner = owner(workload);
    String word = owner == null ? "" : text(owner, "kind") + "/" + text(owner, "name");
    // One whose quota is reserved waits for its checks, with its owner suspended.
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

  /** As Kueue orders those of one priority. */
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

  /** One that cannot be read counts for nothing: it is shown, and decides nothing. */
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
