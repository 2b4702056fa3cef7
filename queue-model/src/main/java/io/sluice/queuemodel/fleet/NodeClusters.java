// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.Labels;

/** The labels that name the cluster of a host or slice, and the rule for flavors that offer it. */
public final class NodeClusters {
  /** The name of the cluster; hosts of no cluster have none. */
  public static final String CLUSTER = "sluice.io/cluster";

  /** Carried by what is in another cluster than the default one. */
  public static final String BY_NAME = "sluice.io/cluster-by-name";

  /**
   * Stands for the default cluster, whose flavors need not name it; no cluster can have the name.
   */
  public static final String DEFAULT = "(default)";

  private NodeClusters() {}

  /** The cluster that a flavor with these node labels offers; {@link #DEFAULT} if it names none. */
  public static String ofFlavor(Labels ofFlavor) {
    String named = ofFlavor.get(CLUSTER);
    return named == null ? DEFAULT : named;
  }

  /**
   * Whether a flavor offers hosts or slices: they carry its node labels, and it names their
   * cluster, or that need not be named. So no flavor has hosts of two clusters.
   */
  public static boolean offers(Labels ofFlavor, Labels ofNodes) {
    return ofNodes.containsAll(ofFlavor)
        && (ofNodes.get(BY_NAME) == null || ofFlavor.get(CLUSTER) != null);
  }
}
