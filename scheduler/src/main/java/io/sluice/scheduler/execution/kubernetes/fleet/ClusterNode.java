// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a node that decide its hosts, slices and health. Equal values make equal hosts and
 * slices; a heartbeat changes nothing.
 *
 * @param labels labels, and {@code taints}, without those that describe the node's health
 * @param allocatable allocatable resources, without zero and unreadable amounts
 */
record ClusterNode(
    String name, Labels labels, List<Taint> taints, ResourceList allocatable, NodeHealth health) {
  public ClusterNode {
    taints = List.copyOf(taints);
  }

  /** Reads a node. */
  public static ClusterNode of(Node node) {
    return new ClusterNode(
        node.getMetadata().getName(),
        labels(node),
        taints(node),
        allocatable(node),
        NodeHealth.of(node));
  }

  /** Interns the strings: thousands of nodes carry the same ones. */
  private static Labels labels(Node node) {
    TreeMap<String, String> labels = new TreeMap<>();
    Map<String, String> all =
        Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of());
    all.forEach(
        (key, value) -> {
          if (!NodeHealth.isLabelOfHealth(key)) {
            labels.put(key.intern(), value.intern());
          }
        });
    return new Labels(labels);
  }

  private static List<Taint> taints(Node node) {
    List<Taint> taints = new ArrayList<>();
    if (node.getSpec() != null) {
      for (io.fabric8.kubernetes.api.model.Taint taint : node.getSpec().getTaints()) {
        Taint.Effect effect = effect(taint.getEffect());
        if (effect != null && !NodeHealth.isTaintOfHealth(taint.getKey())) {
          String value = Objects.requireNonNullElse(taint.getValue(), "");
          taints.add(new Taint(taint.getKey().intern(), value.intern(), effect));
        }
      }
    }
    return taints;
  }

  private static Taint.@Nullable Effect effect(String word) {
    for (Taint.Effect effect : Taint.Effect.values()) {
      if (effect.word().equals(word)) {
        return effect;
      }
    }
    return null;
  }

  private static ResourceList allocatable(Node node) {
    TreeMap<ResourceName, Long> amounts = new TreeMap<>();
    Map<String, Quantity> allocatable =
        node.getStatus() == null || node.getStatus().getAllocatable() == null
            ? Map.of()
            : node.getStatus().getAllocatable();
    allocatable.forEach(
        (key, quantity) -> {
          try {
            ResourceName resource = new ResourceName(key.intern());
            long amount = Quantities.parseSaturated(quantity.toString(), resource);
            if (amount > 0) {
              amounts.put(resource, amount);
            }
          } catch (InvalidValueException unreadable) {
            // An unreadable name or amount is skipped; the other resources stay usable.
          }
        });
    return new ResourceList(amounts);
  }
}
