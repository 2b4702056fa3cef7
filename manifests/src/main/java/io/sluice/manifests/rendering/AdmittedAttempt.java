// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * An admitted attempt, with its slices and nodes, as the renderers need it.
 *
 * @param generation of its workers, from 1
 * @param podSets each of the job's, in whatever order
 */
public record AdmittedAttempt(AttemptKey key, int generation, List<AdmittedPodSet> podSets) {
  public AdmittedAttempt {
    podSets = List.copyOf(podSets);
  }

  /**
   * An attempt with what the engine assigned to it. The slices are those of the pod set that asks
   * for chips.
   *
   * @param nodes what flavors and slices are like
   * @throws InvalidValueException if a flavor or slice is not there, or the flavors of a pod set
   *     are of different nodes
   */
  public static AdmittedAttempt of(
      AttemptKey key, int generation, JobSpec job, Assignment assignment, Nodes nodes) {
    List<AdmittedPodSet> admitted = new ArrayList<>();
    for (PodSetAssignment given : assignment.podSets()) {
      Labels labels = Labels.NONE;
      List<Toleration> tolerations = new ArrayList<>();
      for (String name : new TreeSet<>(given.flavors().values())) {
        ResourceFlavor flavor = nodes.flavor(name);
        labels = together(given.name(), labels, flavor.nodeLabels());
        tolerations.addAll(flavor.tolerations());
      }
      List<Slice> slices = new ArrayList<>();
      if (job.accelerator() != null && given.usage().get(ResourceName.TPU) > 0) {
        assignment.slices().forEach(name -> slices.add(nodes.slice(name)));
      }
      admitted.add(
          new AdmittedPodSet(
              given.name(),
              given.count(),
              labels,
              tolerations.stream().distinct().toList(),
              slices,
              slices.isEmpty()
                  ? Labels.NONE
                  : nodes.annotations(job.meta().namespace(), assignment.slices()),
              given.topology() == null ? List.of() : AdmittedDomain.of(given.topology())));
    }
    return new AdmittedAttempt(key, generation, admitted);
  }

  /** What flavors and slices are like. */
  public interface Nodes {
    /**
     * The flavor of that name.
     *
     * @throws InvalidValueException if there is none
     */
    ResourceFlavor flavor(String name);

    /**
     * The slice of that name.
     *
     * @throws InvalidValueException if there is none
     */
    Slice slice(String name);

    /** What pods of a namespace have to say of the slices that they run on. */
    default Labels annotations(String namespace, List<String> slices) {
      return Labels.NONE;
    }
  }

  private static Labels together(String podSet, Labels labels, Labels more) {
    Labels all = labels.with(more);
    if (!all.containsAll(labels)) {
      throw new InvalidValueException(
          "pod set " + podSet + " was given flavors of different nodes: " + labels + ", " + more);
    }
    return all;
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
