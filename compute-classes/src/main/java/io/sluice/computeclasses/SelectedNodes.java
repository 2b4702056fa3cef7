// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.NodeAffinity;
import java.util.TreeMap;

/** A node as selectors see it: its labels and its capacity type. */
public final class SelectedNodes {
  /** A label that no node carries: its capacity type, as its labels say it. */
  public static final String CAPACITY_TYPE = "sluice.io/capacity-type";

  private SelectedNodes() {}

  /** The labels, and the capacity type that they say. */
  public static Labels seen(Labels nodeLabels) {
    TreeMap<String, String> labels = new TreeMap<>(nodeLabels.entries());
    labels.put(CAPACITY_TYPE, RungChoice.capacityTypeOf(nodeLabels).word());
    return new Labels(labels);
  }

  /** Whether pods may be on a node with these labels, which are all that it has. */
  public static boolean admit(NodeAffinity affinity, Labels nodeLabels) {
    return affinity.matches(affinity.alternatives().isEmpty() ? nodeLabels : seen(nodeLabels));
  }
}
