// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

/** Pods that are alike, as the user writes them. */
public record PodSetSpec(String name, int count, PodTemplate template) {
  public PodSet podSet() {
    return new PodSet(
        name, count, template.requests(), template.nodeSelector(), template.tolerations());
  }
}
