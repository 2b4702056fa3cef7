// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

/** GKE's node labels for capacity types and hardware. */
public final class NodeLabels {
  public static final String SPOT = "cloud.google.com/gke-spot";
  public static final String FLEX_START = "cloud.google.com/gke-flex-start";

  /** Flex-start with queued provisioning. */
  public static final String QUEUED = "cloud.google.com/gke-queued";

  public static final String RESERVATION = "cloud.google.com/reservation-name";
  public static final String COMPUTE_CLASS = "cloud.google.com/compute-class";
  public static final String TPU_TYPE = "cloud.google.com/gke-tpu-accelerator";
  public static final String TPU_TOPOLOGY = "cloud.google.com/gke-tpu-topology";
  public static final String GPU_TYPE = "cloud.google.com/gke-accelerator";
  public static final String NODE_POOL = "cloud.google.com/gke-nodepool";

  /** How many accelerators a node has. */
  public static final String ACCELERATOR_COUNT = "cloud.google.com/gke-accelerator-count";

  /** The block of a reservation that a node stands in, and the part of the block. */
  public static final String BLOCK = "cloud.google.com/gce-topology-block";

  public static final String SUB_BLOCK = "cloud.google.com/gce-topology-subblock";
  public static final String MACHINE_FAMILY = "cloud.google.com/machine-family";
  public static final String MACHINE_TYPE = "node.kubernetes.io/instance-type";
  public static final String ZONE = "topology.kubernetes.io/zone";

  private NodeLabels() {}
}
