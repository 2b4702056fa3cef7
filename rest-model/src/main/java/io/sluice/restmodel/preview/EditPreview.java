// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.preview;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.sluice.restmodel.Listed;
import io.sluice.restmodel.simulation.SimulationAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The differences that an edit would cause, once nothing more can be decided. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EditPreview(
    @JsonPropertyDescription("The batch of the journal that the preview starts from") long sequence,
    @JsonPropertyDescription("false: the preview was stopped before nothing more could be decided")
        boolean complete,
    @JsonPropertyDescription("ClusterQueues whose quota or usage would change, by name")
        Listed<QueueChange> queues,
    @JsonPropertyDescription(
            "ClusterQueues and Cohorts that would exceed their limit by more than without the edit")
        Listed<QuotaExcess> over,
    @JsonPropertyDescription("Jobs of which more indices would be admitted, in queue order")
        Listed<JobGain> gains,
    @JsonPropertyDescription("Attempts that would be told to end")
        Listed<AttemptEviction> evictions,
    @JsonPropertyDescription(
            "Jobs of which fewer indices would be admitted, or that would need another change, in queue order")
        Listed<JobWait> waits,
    @JsonPropertyDescription(
            "Which jobs would start when over the next week, as a simulation of the edit gives it;"
                + " absent if the edit changes nothing")
        @Nullable SimulationAnswer starts) {

  /** A ClusterQueue whose quota or usage would change. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record QueueChange(
      @JsonPropertyDescription("Name of the ClusterQueue") String name,
      @JsonPropertyDescription("Resources whose amounts would change")
          List<ResourceChange> resources) {
    public QueueChange {
      resources = List.copyOf(resources);
    }
  }

  /** The amounts of a resource of a ClusterQueue, without and with the edit. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ResourceChange(
      @JsonPropertyDescription("Name of the flavor") String flavor,
      @JsonPropertyDescription("Name of the resource") String name,
      @JsonPropertyDescription("The amounts without the edit") QuotaAmounts without,
      @JsonPropertyDescription("The amounts with the edit") QuotaAmounts with) {}

  /** Amounts of a ClusterQueue. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record QuotaAmounts(
      @JsonPropertyDescription("Nominal quota, a quantity") String nominal,
      @JsonPropertyDescription("Largest possible usage with all borrowing, a quantity") String most,
      @JsonPropertyDescription("Usage, a quantity") String used) {}

  /** A ClusterQueue or Cohort that would exceed its limit. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record QuotaExcess(
      @JsonPropertyDescription("ClusterQueue or Cohort") String kind,
      @JsonPropertyDescription("Name of the ClusterQueue or Cohort") String name,
      @JsonPropertyDescription("Name of the flavor") String flavor,
      @JsonPropertyDescription("Name of the resource") String resource,
      @JsonPropertyDescription("Quota of the subtree plus what it may borrow, a quantity")
          String most,
      @JsonPropertyDescription("Usage, a quantity") String used,
      @JsonPropertyDescription("Usage beyond the limit, a quantity") String by,
      @JsonPropertyDescription("Usage beyond the limit without the edit, a quantity")
          String byWithout,
      @JsonPropertyDescription("Attempts that would be evicted first, until the excess is covered")
          Listed<AffectedAttempt> attempts) {}

  /** A live attempt that uses what exceeds a limit. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AffectedAttempt(
      @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
          @Nullable String job,
      @JsonPropertyDescription("Namespace of the job; absent as its id") @Nullable String namespace,
      @JsonPropertyDescription(
              "Name of the job, for an array with the index, as in sweep[0]; absent as its id")
          @Nullable String name,
      @JsonPropertyDescription("The ClusterQueue of the job") String clusterQueue,
      @JsonPropertyDescription("Priority of the job") int priority,
      @JsonPropertyDescription("Index of the job, from 0") int index,
      @JsonPropertyDescription("Number of the attempt of that index, from 1") int attempt) {}

  /** A job of which more indices would be admitted. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JobGain(
      @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
          @Nullable String job,
      @JsonPropertyDescription("Namespace of the job; absent as its id") @Nullable String namespace,
      @JsonPropertyDescription("Name of the job; absent as its id") @Nullable String name,
      @JsonPropertyDescription("The ClusterQueue of the job") String clusterQueue,
      @JsonPropertyDescription("Priority of the job") int priority,
      @JsonPropertyDescription("Number of additional indices") int indices,
      @JsonPropertyDescription("What the first of them would be given, as a sentence")
          String given) {}

  /** An attempt that would be told to end. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AttemptEviction(
      @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
          @Nullable String job,
      @JsonPropertyDescription("Namespace of the job; absent as its id") @Nullable String namespace,
      @JsonPropertyDescription(
              "Name of the job, for an array with the index, as in sweep[0]; absent as its id")
          @Nullable String name,
      @JsonPropertyDescription("The ClusterQueue of the job") String clusterQueue,
      @JsonPropertyDescription("Priority of the job") int priority,
      @JsonPropertyDescription("Index of the job, from 0") int index,
      @JsonPropertyDescription("Number of the attempt of that index, from 1") int attempt,
      @JsonPropertyDescription("Code of the cause") String cause,
      @JsonPropertyDescription("The cause as a sentence") String reason) {}

  /** A job that would wait. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JobWait(
      @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
          @Nullable String job,
      @JsonPropertyDescription("Namespace of the job; absent as its id") @Nullable String namespace,
      @JsonPropertyDescription("Name of the job; absent as its id") @Nullable String name,
      @JsonPropertyDescription("The ClusterQueue of the job") String clusterQueue,
      @JsonPropertyDescription("Priority of the job") int priority,
      @JsonPropertyDescription(
              "Number of indices fewer that would be admitted; 0 if the job waits anyway, and now for"
                  + " another change")
          int indices,
      @JsonPropertyDescription("Code of the cause; absent if there is no explanation")
          @Nullable String blocker,
      @JsonPropertyDescription(
              "The cause as a sentence; absent if there is no explanation, and for a job that the"
                  + " caller may not read")
          @Nullable String reason) {}
}
