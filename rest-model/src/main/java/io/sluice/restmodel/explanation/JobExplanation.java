// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.explanation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.sluice.restmodel.Listed;
import io.sluice.restmodel.pipeline.RunPlace;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a job is not running, until when, and which change would let it start. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobExplanation(
    @JsonPropertyDescription("Id of the job") String id,
    @JsonPropertyDescription("State of the job") String state,
    @JsonPropertyDescription("The ClusterQueue of the job") String clusterQueue,
    @JsonPropertyDescription(
            "The explained index, from 0: the next to admit; absent if the job does not wait")
        @Nullable Integer index,
    @JsonPropertyDescription("Code of the cause; absent if the job does not wait")
        @Nullable String blocker,
    @JsonPropertyDescription(
            "What ends the blocker: TIME, CAPACITY, QUOTA, PREEMPTION or USER; absent without a"
                + " blocker")
        @Nullable String cure,
    @JsonPropertyDescription("The reason as a sentence") String reason,
    @JsonPropertyDescription(
            "Number of jobs of the ClusterQueue that are tried earlier; absent if the job does not"
                + " wait")
        @Nullable Integer ahead,
    @JsonPropertyDescription("When the blocker ends by itself; absent if it does not")
        @Nullable Instant until,
    @JsonPropertyDescription(
            "When there would be room if all attempts in the way used all of their time; absent if"
                + " that depends on work without a time limit")
        @Nullable Instant startsBy,
    @JsonPropertyDescription("The planned start of the job; absent if it has none")
        @Nullable JobPlannedStart plannedStart,
    @JsonPropertyDescription(
            "When the job is estimated to start; absent if it does not wait, or if there is no"
                + " estimate")
        @Nullable JobExpectedStart expectedStart,
    @JsonPropertyDescription(
            "The obstacle in each flavor that was tried; absent if the job does not wait")
        @Nullable List<FlavorObstacle> obstacles,
    @JsonPropertyDescription("Rungs of the compute class that were tried; absent without a class")
        @Nullable List<RungView> rungs,
    @JsonPropertyDescription("The hold that keeps the job from running; absent if it is not held")
        @Nullable JobHold hold,
    @JsonPropertyDescription("Running jobs of the submitter; absent unless their limit is reached")
        @Nullable SubmitterLimit submitter,
    @JsonPropertyDescription(
            "Attempts that hold what the job needs, preferred victims first; the count is of all, the"
                + " list of jobs that the caller may read; absent if the job does not wait")
        @Nullable Listed<AttemptInTheWay> inTheWay,
    @JsonPropertyDescription(
            "Attempts among those that hold what the job needs, of jobs that the caller may not"
                + " read, by ClusterQueue; absent if there are none")
        @Nullable List<OthersInTheWay> othersInTheWay,
    @JsonPropertyDescription(
            "The smallest change that would let the job start; absent if the job does not wait")
        @Nullable NeededChange smallestChange,
    @JsonPropertyDescription(
            "Changes of the job itself, each of which would start it now; absent unless asked for"
                + " with alternatives=true, or if none was found")
        @Nullable List<Alternative> alternatives,
    @JsonPropertyDescription(
            "Slices that cannot be offered because of their nodes; absent if there are none")
        @Nullable List<ClosedSlice> closedSlices,
    @JsonPropertyDescription(
            "The head start of the job in its queue; absent if it has none or has ended")
        @Nullable JobHeadStart headStart,
    @JsonPropertyDescription("The run that the job is part of; absent if it is part of none")
        @Nullable RunPlace run,
    @JsonPropertyDescription(
            "Measured use of the chips of a running job; absent if nothing reports it")
        @Nullable AcceleratorUsage accelerators) {
  public JobExplanation {
    obstacles = obstacles == null ? null : List.copyOf(obstacles);
    rungs = rungs == null ? null : List.copyOf(rungs);
    othersInTheWay = othersInTheWay == null ? null : List.copyOf(othersInTheWay);
    alternatives = alternatives == null ? null : List.copyOf(alternatives);
    closedSlices = closedSlices == null ? null : List.copyOf(closedSlices);
  }

  /** Why a flavor was not taken at once for a pod set. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FlavorObstacle(
      @JsonPropertyDescription("Code of the obstacle") String kind,
      @JsonPropertyDescription("Name of the pod set") String podSet,
      @JsonPropertyDescription("Name of the flavor; empty if no flavor covers the resource")
          String flavor,
      @JsonPropertyDescription("Name of the resource") String resource,
      @JsonPropertyDescription("slices if the amounts are numbers of slices, otherwise quantity")
          String unit,
      @JsonPropertyDescription("Required amount") String wanted,
      @JsonPropertyDescription("Amount that is available now") String available,
      @JsonPropertyDescription("Largest amount that the queue could ever get") String most,
      @JsonPropertyDescription(
              "Number of slices whose hosts were compared with the pods' requirements; otherwise"
                  + " absent")
          @Nullable Integer slicesLookedAt,
      @JsonPropertyDescription(
              "Requirements that hosts of some of these slices do not meet; absent without"
                  + " slicesLookedAt")
          @Nullable List<String> unmet) {
    public FlavorObstacle {
      unmet = unmet == null ? null : List.copyOf(unmet);
    }
  }

  /** The number of jobs that a submitter runs from a LocalQueue. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SubmitterLimit(
      @JsonPropertyDescription("Name of the submitter") String name,
      @JsonPropertyDescription("Number of running jobs") int running,
      @JsonPropertyDescription("Maximum that the LocalQueue allows") int limit) {}

  /** An attempt that holds what a job needs. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AttemptInTheWay(
      @JsonPropertyDescription("Id of the job") String job,
      @JsonPropertyDescription("Index of the job, from 0") int index,
      @JsonPropertyDescription("Number of the attempt of that index, from 1") int attempt,
      @JsonPropertyDescription("Name of the job; for an array with the index, as in sweep[0]")
          String name,
      @JsonPropertyDescription("The ClusterQueue whose quota the attempt uses") String clusterQueue,
      @JsonPropertyDescription("Priority of the job") int priority,
      @JsonPropertyDescription("Whether the attempt was told to end") boolean draining,
      @JsonPropertyDescription(
              "End of the time limit and grace period, or of the lease; absent without either")
          @Nullable Instant latestEnd) {}

  /** Attempts that hold what a job needs, of jobs that the caller may not read. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record OthersInTheWay(
      @JsonPropertyDescription("The ClusterQueue of the jobs") String clusterQueue,
      @JsonPropertyDescription("Number of the attempts") int attempts,
      @JsonPropertyDescription(
              "When the last of them ends at the latest; absent if one of them has neither time"
                  + " limit nor lease")
          @Nullable Instant latestEnd) {}

  /** A change that lets a job start, or the statement that none is needed or known. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record NeededChange(
      @JsonPropertyDescription(
              "WAIT: only time is needed. NONE: no addition helps. UNKNOWN: the search reached its"
                  + " limits. ALL_OF: all parts are needed. Otherwise the kind of the only part")
          String kind,
      @JsonPropertyDescription(
              "The flavor, queue, namespace, class or job to change; absent unless there is one"
                  + " part")
          @Nullable String subject,
      @JsonPropertyDescription("Resource of the quota to add; absent for other kinds")
          @Nullable String resource,
      @JsonPropertyDescription(
              "Amount to add: a quantity of the resource, or a number of slices, pods or jobs;"
                  + " absent if the change has no amount")
          @Nullable String amount,
      @JsonPropertyDescription("Changes that are needed together; absent unless the kind is ALL_OF")
          @Nullable List<ChangePart> parts) {
    public NeededChange {
      parts = parts == null ? null : List.copyOf(parts);
    }
  }

  /** One of several changes that are needed together. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ChangePart(
      @JsonPropertyDescription("Kind of the change") String kind,
      @JsonPropertyDescription("The flavor, queue, namespace, class or job to change")
          String subject,
      @JsonPropertyDescription("Resource of the quota to add; absent for other kinds")
          @Nullable String resource,
      @JsonPropertyDescription(
              "Amount to add: a quantity of the resource, or a number of slices, pods or jobs;"
                  + " absent if the change has no amount")
          @Nullable String amount) {}

  /** A change of a waiting job with which it would start now. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Alternative(
      @JsonPropertyDescription(
              "SHORTER_TIME_LIMIT, FEWER_SLICES, OTHER_COMPUTE_CLASS (both: the job submitted anew) or"
                  + " HIGHER_PRIORITY")
          String kind,
      @JsonPropertyDescription(
              "The longest time limit that was found to suffice; absent for other kinds")
          @Nullable String timeLimit,
      @JsonPropertyDescription("The most slices that were found to start; absent for other kinds")
          @Nullable Integer slices,
      @JsonPropertyDescription(
              "The compute class with room; absent for the job without a class, and for other kinds")
          @Nullable String computeClass,
      @JsonPropertyDescription(
              "The priority class with the lowest value that suffices; absent for other kinds")
          @Nullable String priorityClass) {}

  /** A slice that cannot be offered. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ClosedSlice(
      @JsonPropertyDescription("Name of the slice") String slice,
      @JsonPropertyDescription("The reason as a sentence") String reason) {}
}
