// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.AttemptKey;
import java.util.List;

/**
 * An attempt and what it was given.
 *
 * @param generation of its workers, from 1
 * @param podSets each of the job's, in whatever order
 */
public record AdmittedAttempt(AttemptKey key, int generation, List<AdmittedPodSet> podSets) {
  public AdmittedAttempt {
    podSets = List.copyOf(podSets);
  }

  /**
   * What a pod set was given.
   *
   * @throws InvalidValueException if it was given nothing
   */
  public AdmittedPodSet podSet(String name) {
    return podSets.stream()
        .filter(podSet -> podSet.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new InvalidValueException("pod set " + name + " was admitted with nothing"));
  }
}
