// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flavors, slices and places that an admission gave an attempt. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptAssignment(
    @JsonPropertyDescription(
            "Number of the rung of the compute class, from 0; absent without a rung")
        @Nullable Integer rung,
    @JsonPropertyDescription("Names of the slices, in the order of their slice ids")
        List<String> slices,
    @JsonPropertyDescription("The assignments of the pod sets") List<AssignedPodSet> podSets,
    @JsonPropertyDescription("The ClusterQueue whose quota the attempt uses") String clusterQueue) {
  public AttemptAssignment {
    slices = List.copyOf(slices);
    podSets = List.copyOf(podSets);
  }

  /** The assignment of a pod set. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AssignedPodSet(
      @JsonPropertyDescription("Name of the pod set") String name,
      @JsonPropertyDescription("Number of pods") int count,
      @JsonPropertyDescription(
              "PENDING or READY, of pods that are placed when their nodes exist; otherwise absent")
          @Nullable String delay,
      @JsonPropertyDescription(
              "Amounts that all pods use, by resource; cpu in thousandths, others in whole units")
          Map<String, Long> usage,
      @JsonPropertyDescription("The flavor of each resource") Map<String, String> flavors,
      @JsonPropertyDescription("Where the pods are; absent if they are not placed")
          @Nullable PodTopology topology) {
    public AssignedPodSet {
      usage = Collections.unmodifiableMap(new LinkedHashMap<>(usage));
      flavors = Collections.unmodifiableMap(new LinkedHashMap<>(flavors));
    }
  }

  /** The places of the pods of a pod set. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PodTopology(
      @JsonPropertyDescription("Labels of nodes that the values of a domain belong to")
          List<String> levels,
      @JsonPropertyDescription("Amounts that one pod uses, by resource, in the units of usage")
          Map<String, Long> perPod,
      @JsonPropertyDescription("The domains with pods") List<PodDomain> domains) {
    public PodTopology {
      levels = List.copyOf(levels);
      perPod = Collections.unmodifiableMap(new LinkedHashMap<>(perPod));
      domains = List.copyOf(domains);
    }
  }

  /** The pods in a domain of a topology. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PodDomain(
      @JsonPropertyDescription("Number of pods") int count,
      @JsonPropertyDescription("The value of each level") List<String> values) {
    public PodDomain {
      values = List.copyOf(values);
    }
  }
}
