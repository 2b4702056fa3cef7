// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Nodes as GKE creates them, from lines such as
 *
 * <pre>
 * pool a nodes 4 tpu tpu-v6e-slice topology 4x4 chips 4 machine ct6e-standard-4t spot
 * node cpu-1 cpu 16
 * a-2 is not ready
 * </pre>
 */
final class GkeNodes {
  private static final String GKE = "cloud.google.com/";

  private final TreeMap<String, Node> nodes = new TreeMap<>();

  /** Creates the nodes of these lines, one after another. */
  static GkeNodes of(String lines) {
    return new GkeNodes().then(lines);
  }

  /** Applies more lines to the nodes. */
  GkeNodes then(String lines) {
    lines.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(this::read);
    return this;
  }

  List<Node> all() {
    return List.copyOf(nodes.values());
  }

  @Nullable Node node(String name) {
    return nodes.get(name);
  }

  List<ClusterNode> seen() {
    return nodes.values().stream().map(ClusterNode::of).toList();
  }

  private void read(String line) {
    List<String> words = List.of(line.split("\\s+"));
    switch (words.get(0)) {
      case "pool" -> pool(words);
      case "node" -> put(fresh(words.get(1), Map.of(), options(words, 2)));
      default -> happen(words.get(0), line.substring(words.get(0).length()).strip());
    }
  }

  /** Reads words in pairs; the last may stand alone. */
  private static Map<String, String> options(List<String> words, int from) {
    Map<String, String> options = new HashMap<>();
    for (int at = from; at < words.size(); at += 2) {
      options.put(words.get(at), at + 1 < words.size() ? words.get(at + 1) : "true");
    }
    return options;
  }

  private void pool(List<String> words) {
    Map<String, String> options = options(words, 2);
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put(GKE + "gke-nodepool", words.get(1));
    label(labels, options, "tpu", GKE + "gke-tpu-accelerator");
    label(labels, options, "topology", GKE + "gke-tpu-topology");
    label(labels, options, "machine", "node.kubernetes.io/instance-type");
    label(labels, options, "spot", GKE + "gke-spot");
    label(labels, options, "flex", GKE + "gke-flex-start");
    label(labels, options, "queued", GKE + "gke-queued");
    label(labels, options, "reservation", GKE + "reservation-name");
    int from = Integer.parseInt(options.getOrDefault("from", "0"));
    int count = Integer.parseInt(options.getOrDefault("nodes", "1"));
    for (int number = from; number < from + count; number++) {
      put(fresh(words.get(1) + "-" + number, labels, options));
    }
  }

  private static void label(
      Map<String, String> labels, Map<String, String> options, String option, String key) {
    String value = options.get(option);
    if (value != null) {
      labels.put(key, value);
    }
  }

  private static Node fresh(String name, Map<String, String> labels, Map<String, String> options) {
    TreeMap<String, String> all = new TreeMap<>(labels);
    all.put("kubernetes.io/hostname", name);
    TreeMap<String, Quantity> amounts = new TreeMap<>();
    amounts.put("cpu", new Quantity(options.getOrDefault("cpu", "8")));
    amounts.put("memory", new Quantity("16Gi"));
    amounts.put("pods", new Quantity("110"));
    if (options.containsKey("chips")) {
      amounts.put("google.com/tpu", new Quantity(options.get("chips")));
    }
    if (options.containsKey("gpus")) {
      amounts.put("nvidia.com/gpu", new Quantity(options.get("gpus")));
    }
    return ready(
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .withLabels(all)
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .withNewStatus()
            .withAllocatable(amounts)
            .withCapacity(amounts)
            .endStatus()
            .build(),
        "True",
        "KubeletReady");
  }

  private static Node ready(Node node, String status, String reason) {
    return new NodeBuilder(node)
        .editStatus()
        .withConditions(
            new NodeConditionBuilder()
                .withType("Ready")
                .withStatus(status)
                .withReason(reason)
                .build())
        .endStatus()
        .build();
  }

  private void put(Node node) {
    nodes.put(node.getMetadata().getName(), node);
  }

  private void happen(String name, String what) {
    List<String> words = new ArrayList<>(List.of(what.split("\\s+")));
    String last = words.remove(words.size() - 1);
    String key = last.split("=", -1)[0];
    String value = last.contains("=") ? last.substring(key.length() + 1) : "";
    switch (what) {
      case "is not ready" -> change(name, node -> ready(node, "False", "KubeletStopped"));
      case "does not answer" -> change(name, node -> ready(node, "Unknown", "NodeStatusUnknown"));
      case "is ready" -> change(name, node -> ready(node, "True", "KubeletReady"));
      case "is cordoned" -> change(name, node -> cordoned(node, true));
      case "is uncordoned" -> change(name, node -> cordoned(node, false));
      case "is gone" -> nodes.remove(name);
      default -> {
        switch (String.join(" ", words)) {
          case "has label" -> change(name, node -> labelled(node, key, value));
          case "loses label" -> change(name, node -> unlabelled(node, key));
          case "has taint" -> change(name, node -> tainted(node, key, value));
          case "loses taints," -> change(name, node -> untainted(node));
          case "has allocatable" -> change(name, node -> allocatable(node, key, value));
          default -> throw new IllegalArgumentException("no such words: " + what);
        }
      }
    }
  }

  private void change(String name, UnaryOperator<Node> change) {
    nodes.put(name, change.apply(nodes.get(name)));
  }

  private static Node cordoned(Node node, boolean cordoned) {
    return new NodeBuilder(node).editSpec().withUnschedulable(cordoned).endSpec().build();
  }

  private static Node labelled(Node node, String key, String value) {
    return new NodeBuilder(node).editMetadata().addToLabels(key, value).endMetadata().build();
  }

  private static Node unlabelled(Node node, String key) {
    return new NodeBuilder(node).editMetadata().removeFromLabels(key).endMetadata().build();
  }

  private static Node tainted(Node node, String key, String value) {
    return new NodeBuilder(node)
        .editSpec()
        .addToTaints(
            new TaintBuilder().withKey(key).withValue(value).withEffect("NoSchedule").build())
        .endSpec()
        .build();
  }

  private static Node untainted(Node node) {
    return new NodeBuilder(node).editSpec().withTaints(List.of()).endSpec().build();
  }

  private static Node allocatable(Node node, String key, String value) {
    return new NodeBuilder(node)
        .editStatus()
        .addToAllocatable(key, new Quantity(value))
        .endStatus()
        .build();
  }

  /** Prints the observation of a cluster, an item per line. */
  static String told(ObservedFleet fleet) {
    List<String> lines = new ArrayList<>();
    List<String> inSlices = fleet.slices().stream().flatMap(one -> one.hosts().stream()).toList();
    fleet
        .slices()
        .forEach(
            slice ->
                lines.add(
                    "slice "
                        + slice.name()
                        + " "
                        + slice.acceleratorType()
                        + " "
                        + slice.topology()
                        + " "
                        + slice.capacityType().word()
                        + ": "
                        + String.join(" ", slice.hosts())));
    fleet.hosts().stream()
        .filter(host -> !inSlices.contains(host.name()))
        .forEach(host -> lines.add("host " + host.name()));
    fleet
        .unwell()
        .forEach((host, health) -> lines.add(host + " " + health.state() + ": " + health.reason()));
    fleet.refused().forEach((pool, why) -> lines.add("refused " + pool + ": " + why));
    fleet.incomplete().forEach((pool, why) -> lines.add("incomplete " + pool + ": " + why));
    return String.join("\n", lines);
  }
}
