// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The program, environment and requests of each pod of a pod set.
 *
 * @param image null: the executor's own environment
 * @param command the program and its arguments; empty: the image's own
 * @param environment by name
 * @param requests of one pod
 * @param affinity which nodes it may be on, beside what the selector says
 */
public record PodTemplate(
    @Nullable String image,
    List<String> command,
    Labels environment,
    ResourceList requests,
    Labels nodeSelector,
    List<Toleration> tolerations,
    NodeAffinity affinity) {
  public PodTemplate {
    command = List.copyOf(command);
    tolerations = List.copyOf(tolerations);
  }

  /** A template of pods that may be on any node that the selector selects. */
  public PodTemplate(
      @Nullable String image,
      List<String> command,
      Labels environment,
      ResourceList requests,
      Labels nodeSelector,
      List<Toleration> tolerations) {
    this(image, command, environment, requests, nodeSelector, tolerations, NodeAffinity.ANY);
  }

  /** The same with another program and environment. */
  public PodTemplate running(List<String> program, Labels variables) {
    return new PodTemplate(
        image, program, variables, requests, nodeSelector, tolerations, affinity);
  }

  /** The same with other requests. */
  public PodTemplate withRequests(ResourceList other) {
    return new PodTemplate(image, command, environment, other, nodeSelector, tolerations, affinity);
  }

  /** The same on other nodes. */
  public PodTemplate withAffinity(NodeAffinity other) {
    return new PodTemplate(image, command, environment, requests, nodeSelector, tolerations, other);
  }
}
