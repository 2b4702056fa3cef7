// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The runs that schedules will start. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UpcomingRunList(
    @JsonPropertyDescription("The runs, ordered by the time at which they start")
        List<Upcoming> items,
    @JsonPropertyDescription(
            "Where the next page starts, for the parameter cursor; absent on the last page")
        @Nullable String nextCursor,
    @JsonPropertyDescription("The list is complete up to this time") Instant until) {
  public UpcomingRunList {
    items = List.copyOf(items);
  }

  /** A run that a schedule will start, unless something changes before. */
  public record Upcoming(
      @JsonPropertyDescription("The namespace of the pipeline") String namespace,
      @JsonPropertyDescription("The name of the pipeline") String pipeline,
      @JsonPropertyDescription("The present version of the pipeline") int version,
      @JsonPropertyDescription("The name of the schedule") String schedule,
      @JsonPropertyDescription("The time that the run is about") Instant logicalTime,
      @JsonPropertyDescription("When it starts, jitter included") Instant dueAt,
      @JsonPropertyDescription("The jobs by step, in the order of their dependencies")
          List<StepJobs> jobs) {
    public Upcoming {
      jobs = List.copyOf(jobs);
    }
  }

  /** The jobs of a step. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record StepJobs(
      @JsonPropertyDescription("The name of the step") String step,
      @JsonPropertyDescription("Whether the step depends on no other") boolean first,
      @JsonPropertyDescription("The number of jobs; absent if it is not known in advance")
          @Nullable Integer count,
      @JsonPropertyDescription("Why the jobs are not known in advance; absent if they are")
          @Nullable String unknown,
      @JsonPropertyDescription("The LocalQueue; absent if the jobs are unknown")
          @Nullable String queue,
      @JsonPropertyDescription("The compute class; absent if there is none") @JsonProperty("class")
          @Nullable String computeClass,
      @JsonPropertyDescription("The priority class; absent if there is none")
          @Nullable String priorityClass,
      @JsonPropertyDescription("The slices of a job; absent if it needs none")
          @Nullable Slices slices,
      @JsonPropertyDescription("The pods of a job; absent if the jobs are unknown")
          @Nullable List<PodSet> podSets) {
    public StepJobs {
      podSets = podSets == null ? null : List.copyOf(podSets);
    }
  }

  /** The slices that a job asks for. */
  public record Slices(
      @JsonPropertyDescription("The accelerator type") String type,
      @JsonPropertyDescription("The topology of a slice") String topology,
      @JsonPropertyDescription("The fewest slices with which it runs") int min,
      @JsonPropertyDescription("The most slices that it uses") int max) {}

  /** Pods of a job with equal requests. */
  public record PodSet(
      @JsonPropertyDescription("The name of the pod set") String name,
      @JsonPropertyDescription("The number of pods") int count,
      @JsonPropertyDescription("What each pod requests, by resource")
          Map<String, String> requests) {
    public PodSet {
      requests = Collections.unmodifiableMap(new LinkedHashMap<>(requests));
    }
  }
}
