// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What each pod of a pod set runs and needs.
 *
 * @param image null: the executor's own environment
 * @param command the program and its arguments; empty: the image's own
 * @param environment by name
 * @param requests of one pod
 */
public record PodTemplate(
    @Nullable String image,
    List<String> command,
    Labels environment,
    ResourceList requests,
    Labels nodeSelector,
    List<Toleration> tolerations) {
  public PodTemplate {
    command = List.copyOf(command);
    tolerations = List.copyOf(tolerations);
  }
}
