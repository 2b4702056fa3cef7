// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The numbers of jobs in groups. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobCounts(
    @JsonPropertyDescription("The groups that have jobs, ordered by their fields")
        List<Group> items,
    @JsonPropertyDescription("Number of jobs in all groups together") long total) {
  public JobCounts {
    items = List.copyOf(items);
  }

  /** The number of jobs that have the same values of the requested fields. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Group(
      @JsonPropertyDescription("State of the jobs; absent if not requested") @Nullable String state,
      @JsonPropertyDescription("LocalQueue of the jobs, as namespace/name; absent if not requested")
          @Nullable String queue,
      @JsonPropertyDescription(
              "ClusterQueue that the jobs were submitted to; absent if not requested")
          @Nullable String clusterQueue,
      @JsonPropertyDescription("Namespace of the jobs; absent if not requested")
          @Nullable String namespace,
      @JsonPropertyDescription(
              "Present priority class of the jobs, empty for jobs without one; absent if not"
                  + " requested")
          @Nullable String priorityClass,
      @JsonPropertyDescription(
              "Team of the jobs: that of their namespace, else the label sluice.io/team of their"
                  + " LocalQueue, else their namespace; absent if not requested")
          @Nullable String team,
      @JsonPropertyDescription(
              "Compute class of the jobs, empty for jobs without one; absent if not requested")
          @Nullable String computeClass,
      @JsonPropertyDescription(
              "Value of the requested label, empty for jobs without it; absent if not requested")
          @Nullable String label,
      @JsonPropertyDescription(
              "Blocker of the jobs, all of which wait; empty for jobs about which none is known,"
                  + " such as one that is being cancelled; absent if not requested")
          @Nullable String blocker,
      @JsonPropertyDescription("Number of jobs, at least 1") long count,
      @JsonPropertyDescription(
              "When the oldest of the jobs was submitted; absent from servers that do not tell")
          @Nullable Instant oldest) {}
}
