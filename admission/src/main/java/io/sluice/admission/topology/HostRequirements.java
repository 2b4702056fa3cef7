// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.computeclasses.SelectedNodes;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of a slice's pods for each host, beyond accelerator type and topology: node
 * selector, required node affinity and tolerations. Two are equal if their texts are.
 */
final class HostRequirements implements Comparable<HostRequirements> {
  /** Requirements that any host without a repelling taint meets. */
  public static final HostRequirements NONE =
      new HostRequirements(Labels.NONE, NodeAffinity.ANY, List.of());

  private static final Set<String> TERMS =
      Collections.unmodifiableSet(
          new TreeSet<>(
              List.of(
                  NodeLabels.SPOT,
                  NodeLabels.FLEX_START,
                  NodeLabels.QUEUED,
                  NodeLabels.RESERVATION)));

  private final Labels selector;
  private final NodeAffinity affinity;
  private final List<Toleration> tolerations;
  private final String text;

  private HostRequirements(Labels selector, NodeAffinity affinity, List<Toleration> tolerations) {
    this.selector = selector;
    this.affinity = affinity;
    this.tolerations = List.copyOf(tolerations);
    this.text = selector + "|" + affinity + "|" + tolerations;
  }

  /** Returns the requirements of the pod set of a shape that runs on slices. */
  public static HostRequirements of(WorkloadShape shape) {
    AcceleratorRequest request = shape.accelerator();
    for (PodSet podSet : shape.podSets()) {
      if (request != null && podSet.onSlices()) {
        return of(podSet, request);
      }
    }
    return NONE;
  }

  private static HostRequirements of(PodSet podSet, AcceleratorRequest request) {
    Labels selector = beyondKind(podSet.nodeSelector(), request);
    NodeAffinity affinity = podSet.affinity();
    boolean anyAffinity = affinity.terms().isEmpty() && affinity.alternatives().isEmpty();
    boolean onlyOfChips = podSet.tolerations().stream().allMatch(HostRequirements::isOfChips);
    if (selector.isEmpty() && anyAffinity && onlyOfChips) {
      return NONE;
    }
    return new HostRequirements(
        selector,
        anyAffinity
            ? NodeAffinity.ANY
            : new NodeAffinity(affinity.terms(), List.of(), affinity.alternatives()),
        onlyOfChips ? List.of() : podSet.tolerations());
  }

  /** Removes the labels that repeat the accelerator request, because every slice meets them. */
  private static Labels beyondKind(Labels selector, AcceleratorRequest request) {
    boolean more = false;
    for (Map.Entry<String, String> label : selector.entries().entrySet()) {
      more |= !saysKind(label.getKey(), label.getValue(), request);
    }
    if (!more) {
      return Labels.NONE;
    }
    TreeMap<String, String> left = new TreeMap<>(selector.entries());
    left.entrySet().removeIf(label -> saysKind(label.getKey(), label.getValue(), request));
    return Labels.of(left);
  }

  private static boolean saysKind(String key, String value, AcceleratorRequest request) {
    if (key.equals(NodeLabels.TPU_TOPOLOGY)) {
      return value.equals(request.topology().toString());
    }
    AcceleratorType type =
        key.equals(NodeLabels.TPU_TYPE) ? AcceleratorCatalogue.BUILT_IN.labelled(value) : null;
    return type != null && type.name().equals(request.type());
  }

  private static boolean isOfChips(Toleration toleration) {
    return toleration.key().equals(ResourceName.TPU.value());
  }

  /**
   * Returns the first requirement that a host does not meet, such as {@code node selector
   * cloud.google.com/gke-spot=true}; null if it meets all.
   *
   * @param complete whether the host has no other labels. Of nodes that have not come, only the
   *     labels of the flavor are known: a missing label then excludes nothing, except labels for
   *     the terms on which capacity is provided
   * @param ofFlavor tolerations that the flavor adds to the pods
   */
  @Nullable String unmetBy(
      Labels labels, boolean complete, List<Taint> taints, List<Toleration> ofFlavor) {
    for (Taint taint : taints) {
      if (mayRepel(taint) && !tolerates(taint, ofFlavor)) {
        return "toleration of taint " + written(taint);
      }
    }
    for (Map.Entry<String, String> wanted : selector.entries().entrySet()) {
      String found = labels.get(wanted.getKey());
      boolean open = found == null && !complete && !TERMS.contains(wanted.getKey());
      if (!open && !wanted.getValue().equals(found)) {
        return "node selector " + wanted.getKey() + "=" + wanted.getValue();
      }
    }
    boolean admitted = complete ? SelectedNodes.admit(affinity, labels) : affinity.permits(labels);
    return admitted ? null : "required node affinity";
  }

  /**
   * Returns whether a taint may repel pods of slices. Clusters with TPUs give pods that request
   * chips a toleration of the taint with the resource's name.
   */
  static boolean mayRepel(Taint taint) {
    return taint.repels() && !taint.key().equals(ResourceName.TPU.value());
  }

  private boolean tolerates(Taint taint, List<Toleration> ofFlavor) {
    return tolerations.stream().anyMatch(one -> one.tolerates(taint))
        || ofFlavor.stream().anyMatch(one -> one.tolerates(taint));
  }

  private static String written(Taint taint) {
    String value = taint.value().isEmpty() ? "" : "=" + taint.value();
    return taint.key() + value + ":" + taint.effect().word();
  }

  @Override
  public int compareTo(HostRequirements other) {
    return this == other ? 0 : text.compareTo(other.text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostRequirements same && text.equals(same.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
