// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All slices of the fleet in short, or those that have changed since an earlier answer. What slices
 * have in common stands once, so that the answer for thousands of slices stays small.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FleetMap(
    @JsonPropertyDescription(
            "Names this answer; with the parameter revision, the next answer has only changes")
        String revision,
    @JsonPropertyDescription("Whether the answer has only what has changed since a revision")
        boolean changes,
    @JsonPropertyDescription("Number of slices of the fleet") int sliceCount,
    @JsonPropertyDescription("Kinds of slices, to which the slices refer by index, from 0")
        List<SliceKind> kinds,
    @JsonPropertyDescription("Attempts, to which the slices refer by index, from 0")
        List<MapHolder> holders,
    @JsonPropertyDescription("Slices by name, at most 20,000") List<MapSlice> slices,
    @JsonPropertyDescription(
            "Names of slices that have left the fleet since the revision; absent if there are none")
        @Nullable List<String> gone) {
  public FleetMap {
    kinds = List.copyOf(kinds);
    holders = List.copyOf(holders);
    slices = List.copyOf(slices);
    gone = gone == null ? null : List.copyOf(gone);
  }

  /** What many slices have in common. */
  public record SliceKind(
      @JsonPropertyDescription("Accelerator type") String type,
      @JsonPropertyDescription("Topology of the chips of a slice, such as 4x4") String topology,
      @JsonPropertyDescription("Number of chips of a slice") long chips,
      @JsonPropertyDescription("Capacity type, as in a fleet's manifest") String capacityType) {}

  /** An attempt that holds slices or parts of them. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record MapHolder(
      @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
          @Nullable String job,
      @JsonPropertyDescription("Name of the job; absent for a job that the caller may not read")
          @Nullable String name,
      @JsonPropertyDescription(
              "Namespace of the job; absent for a job that the caller may not read")
          @Nullable String namespace,
      @JsonPropertyDescription(
              "Team of the job: that of its namespace, else the label sluice.io/team of its"
                  + " LocalQueue, else its namespace; absent for a job that the caller may not"
                  + " read")
          @Nullable String team,
      @JsonPropertyDescription("The ClusterQueue that the attempt was admitted by")
          String clusterQueue,
      @JsonPropertyDescription("State of the attempt") String state) {}

  /** A slice in short. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record MapSlice(
      @JsonPropertyDescription("Name of the slice") String name,
      @JsonPropertyDescription("Index of its kind") int kind,
      @JsonPropertyDescription("ABSENT or LEAVING; absent: it is ready") @Nullable String condition,
      @JsonPropertyDescription("True if one of its hosts has failed; else absent")
          @Nullable Boolean failed,
      @JsonPropertyDescription(
              "True if it is kept for the job that it was granted for; else absent")
          @Nullable Boolean kept,
      @JsonPropertyDescription(
              "True if it is being cleared for a job that the caller may read; else absent")
          @Nullable Boolean claimed,
      @JsonPropertyDescription("True if the holders hold parts of it only; else absent")
          @Nullable Boolean partly,
      @JsonPropertyDescription("Indices of the attempts that hold it; absent if none does")
          @Nullable List<Integer> holders) {
    public MapSlice {
      holders = holders == null ? null : List.copyOf(holders);
    }
  }
}
