// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.quota;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.sluice.restmodel.explanation.AcceleratorUsage;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The jobs and the usage of a ClusterQueue or a LocalQueue. It is empty as long as this server's
 * view does not have a new ClusterQueue yet.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueueStatus(
    @JsonPropertyDescription("Number of pending jobs") @Nullable Long pendingWorkloads,
    @JsonPropertyDescription("Number of live attempts") @Nullable Integer admittedWorkloads,
    @JsonPropertyDescription(
            "Accelerator use of the jobs of a ClusterQueue; absent if none is observed")
        @Nullable AcceleratorUsage accelerators,
    @JsonPropertyDescription(
            "Usage of a ClusterQueue by flavor, in the order of its resource groups; absent of"
                + " a LocalQueue")
        @Nullable List<FlavorUsage> flavorsUsage,
    @JsonPropertyDescription(
            "Usage of a LocalQueue; absent unless LocalQueues are ordered by usage")
        @Nullable LocalQueueFairSharing fairSharing) {
  public QueueStatus {
    flavorsUsage = flavorsUsage == null ? null : List.copyOf(flavorsUsage);
  }

  /** The usage of a flavor. */
  public record FlavorUsage(
      @JsonPropertyDescription("Name of the flavor") String name,
      @JsonPropertyDescription("Usage of its resources") List<ResourceUsage> resources) {
    public FlavorUsage {
      resources = List.copyOf(resources);
    }
  }

  /** The usage of a resource in a flavor. */
  public record ResourceUsage(
      @JsonPropertyDescription("Name of the resource") String name,
      @JsonPropertyDescription("Nominal quota, a quantity") String nominal,
      @JsonPropertyDescription("Quota in use, a quantity") String total,
      @JsonPropertyDescription(
              "Part of the quota in use that exceeds the nominal quota, a quantity")
          String borrowed) {}

  /** The usage that orders a LocalQueue among those of its ClusterQueue. */
  public record LocalQueueFairSharing(
      @JsonPropertyDescription("The usage") DecayedUsage admissionFairSharingStatus) {}

  /** Usage of which older parts count less. */
  public record DecayedUsage(
      @JsonPropertyDescription("Usage by resource, as quantities")
          Map<String, String> consumedResources,
      @JsonPropertyDescription("Time of the usage") Instant lastUpdate) {
    public DecayedUsage {
      consumedResources = Collections.unmodifiableMap(new LinkedHashMap<>(consumedResources));
    }
  }
}
