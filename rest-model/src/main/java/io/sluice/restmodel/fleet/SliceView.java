// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A slice of the fleet: its properties, condition and holder. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceView(
    @JsonPropertyDescription("Name of the slice") String name,
    @JsonPropertyDescription("Accelerator type") String type,
    @JsonPropertyDescription("Topology of its chips, such as 4x4") String topology,
    @JsonPropertyDescription("Number of chips") long chips,
    @JsonPropertyDescription("Capacity type, as in a fleet's manifest") String capacityType,
    @JsonPropertyDescription(
            "Slices of one block can be joined to larger ones; absent: this one cannot")
        @Nullable String block,
    @JsonPropertyDescription(
            "Topologies of the smaller slices that can be cut from it, from small to large;"
                + " absent if it is not divisible")
        @Nullable List<String> parts,
    @JsonPropertyDescription("READY, ABSENT or LEAVING") String condition,
    @JsonPropertyDescription("When a leaving slice will be gone; absent without notice")
        @Nullable Instant leavesAt,
    @JsonPropertyDescription("The job that the slice was granted for; absent if it is not kept")
        @Nullable KeptFor keptFor,
    @JsonPropertyDescription("Names of its hosts") List<String> hosts,
    @JsonPropertyDescription(
            "Hosts that have failed and have not returned; absent if there are none")
        @Nullable List<String> failedHosts,
    @JsonPropertyDescription("The attempt that holds the whole slice; absent if none does")
        @Nullable SliceHolder heldBy,
    @JsonPropertyDescription("Held slices that are formed from this one; absent if there are none")
        @Nullable List<FormedSlice> formed,
    @JsonPropertyDescription(
            "Id of the job that the slice is being cleared for; absent if there is none, or one that"
                + " the caller may not read")
        @Nullable String claimedBy,
    @JsonPropertyDescription(
            "Why the slice of a cluster cannot be given to a job; absent if nothing prevents it")
        @Nullable String reason) {
  public SliceView {
    parts = parts == null ? null : List.copyOf(parts);
    hosts = List.copyOf(hosts);
    failedHosts = failedHosts == null ? null : List.copyOf(failedHosts);
    formed = formed == null ? null : List.copyOf(formed);
  }

  /** A job that a slice is kept for. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record KeptFor(
      @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
          @Nullable String job,
      @JsonPropertyDescription(
              "Name of the job; absent if the job has ended, or the caller may not read it")
          @Nullable String name,
      @JsonPropertyDescription("Number of the rung that the slice was granted for, from 1")
          int rung,
      @JsonPropertyDescription(
              "When the slice is given back if it is still unused; absent if there is no limit")
          @Nullable Instant until) {}

  /** A held slice that is formed from hosts of slices of the fleet. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FormedSlice(
      @JsonPropertyDescription("Name of the formed slice") String name,
      @JsonPropertyDescription("The attempt that holds it") SliceHolder heldBy) {}

  /** The same slice with other holders. */
  public SliceView withHolders(
      @Nullable SliceHolder newHolder, @Nullable List<FormedSlice> newFormed) {
    return new SliceView(
        name,
        type,
        topology,
        chips,
        capacityType,
        block,
        parts,
        condition,
        leavesAt,
        keptFor,
        hosts,
        failedHosts,
        newHolder,
        newFormed,
        claimedBy,
        reason);
  }
}
