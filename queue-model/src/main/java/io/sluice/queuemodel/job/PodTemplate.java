// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The program, environment and requests of each pod of a pod set.
 *
 * @param image null: the executor's own environment
 * @param command the program and its arguments; empty: the image's own
 * @param environment by name
 * @param secrets variables whose values are kept elsewhere, by name; none is in the environment
 * @param requests of one pod
 * @param affinity which nodes it may be on, beside what the selector says
 */
public record PodTemplate(
    @Nullable String image,
    List<String> command,
    Labels environment,
    SortedMap<String, SecretKey> secrets,
    ResourceList requests,
    Labels nodeSelector,
    List<Toleration> tolerations,
    NodeAffinity affinity) {
  public PodTemplate {
    command = List.copyOf(command);
    secrets = Collections.unmodifiableSortedMap(new TreeMap<>(secrets));
    tolerations = List.copyOf(tolerations);
  }

  /** A template of pods without secrets, that may be on any node that the selector selects. */
  public PodTemplate(
      @Nullable String image,
      List<String> command,
      Labels environment,
      ResourceList requests,
      Labels nodeSelector,
      List<Toleration> tolerations) {
    this(
        image,
        command,
        environment,
        Collections.emptySortedMap(),
        requests,
        nodeSelector,
        tolerations,
        NodeAffinity.ANY);
  }

  /** The same with another program and environment. */
  public PodTemplate running(
      List<String> program, Labels variables, SortedMap<String, SecretKey> kept) {
    return new PodTemplate(
        image, program, variables, kept, requests, nodeSelector, tolerations, affinity);
  }

  /** The same with other requests. */
  public PodTemplate withRequests(ResourceList other) {
    return new PodTemplate(
        image, command, environment, secrets, other, nodeSelector, tolerations, affinity);
  }

  /** The same on other nodes. */
  public PodTemplate withAffinity(NodeAffinity other) {
    return new PodTemplate(
        image, command, environment, secrets, requests, nodeSelector, tolerations, other);
  }
}
