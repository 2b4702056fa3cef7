// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of equal pods, with the fields that admission uses.
 *
 * @param count how many pods
 * @param requests of one pod
 * @param minCount with how few pods it may do; null: it needs all
 * @param group pod sets of one group are given the same flavors, and placed together; null: it is
 *     in none
 * @param topology how close together they must be; null: that was not said
 * @param onHost what one pod takes of its host; null: what it asks quota for
 */
public record PodSet(
    String name,
    int count,
    ResourceList requests,
    Labels nodeSelector,
    List<Toleration> tolerations,
    NodeAffinity affinity,
    @Nullable Integer minCount,
    @Nullable String group,
    @Nullable TopologyRequest topology,
    @Nullable ResourceList onHost) {
  public PodSet {
    tolerations = List.copyOf(tolerations);
  }

  /** Pods that need not be close together. */
  public PodSet(
      String name,
      int count,
      ResourceList requests,
      Labels nodeSelector,
      List<Toleration> tolerations,
      NodeAffinity affinity,
      @Nullable Integer minCount,
      @Nullable String group) {
    this(name, count, requests, nodeSelector, tolerations, affinity, minCount, group, null, null);
  }

  /** Pods that may be on any node, of which all are needed, in no group. */
  public PodSet(
      String name,
      int count,
      ResourceList requests,
      Labels nodeSelector,
      List<Toleration> tolerations) {
    this(name, count, requests, nodeSelector, tolerations, NodeAffinity.ANY, null, null);
  }

  /**
   * The requests of all pods. An amount beyond the largest long becomes the largest long, which no
   * quota covers.
   */
  public ResourceList total() {
    return requests.timesSaturated(count);
  }

  /**
   * The requests of all pods.
   *
   * @throws io.sluice.queuemodel.InvalidValueException if an amount does not fit a long
   */
  public ResourceList exactTotal() {
    return requests.times(count);
  }

  /** What one pod takes of its host. */
  public ResourceList requestsOnHost() {
    return onHost == null ? requests : onHost;
  }

  /** The same, standing together in another way. */
  public PodSet withTopology(TopologyRequest other) {
    return new PodSet(
        name, count, requests, nodeSelector, tolerations, affinity, minCount, group, other, onHost);
  }

  /** The same on nodes that are selected so, tolerating more. */
  public PodSet onNodes(Labels selector, List<Toleration> tolerated) {
    List<Toleration> all = new ArrayList<>(tolerations);
    all.addAll(tolerated);
    return new PodSet(
        name, count, requests, selector, all, affinity, minCount, group, topology, onHost);
  }

  /** Whether its pods are the hosts of slices, in a shape that asks for slices. */
  public boolean onSlices() {
    return requests.amounts().containsKey(ResourceName.TPU);
  }

  /** The same with another number of pods. */
  public PodSet withCount(int other) {
    return new PodSet(
        name,
        other,
        requests,
        nodeSelector,
        tolerations,
        affinity,
        minCount,
        group,
        topology,
        onHost);
  }

  /** The same asking quota for something else; what it takes of its host stays. */
  public PodSet withRequests(ResourceList other) {
    ResourceList taken = requestsOnHost();
    return new PodSet(
        name,
        count,
        other,
        nodeSelector,
        tolerations,
        affinity,
        minCount,
        group,
        topology,
        taken.equals(other) ? null : taken);
  }

  /** Shapes are stored by this text: what was added later is in it only where it is used. */
  @Override
  public String toString() {
    // Made of each submission: a format would be read anew each time.
    return "PodSet[name="
        + name
        + ", count="
        + count
        + ", requests="
        + requests
        + ", nodeSelector="
        + nodeSelector
        + ", tolerations="
        + tolerations
        + (affinity.equals(NodeAffinity.ANY) ? "" : ", affinity=" + affinity)
        + (minCount == null ? "" : ", minCount=" + minCount)
        + (group == null ? "" : ", group=" + group)
        + (topology == null ? "" : ", topology=" + topology)
        + (onHost == null ? "" : ", onHost=" + onHost)
        + "]";
  }
}
