// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.Labels;

/** The labels by which hosts and slices tell their cluster, and which flavors offer them. */
public final class NodeClusters {
  /** The name of the cluster; hosts of no cluster have none. */
  public static final String CLUSTER = "sluice.io/cluster";

  /** Carried by what is in another cluster than the default one. */
  public static final String BY_NAME = "sluice.io/cluster-by-name";

  private NodeClusters() {}

  /**
   * Whether a flavor offers hosts or slices: they carry its node labels, and it names their
   * cluster, or that need not be named. So no flavor has hosts of two clusters.
   */
  public static boolean offers(Labels ofFlavor, Labels ofNodes) {
    return ofNodes.containsAll(ofFlavor)
        && (ofNodes.get(BY_NAME) == null || ofFlavor.get(CLUSTER) != null);
  }
}
