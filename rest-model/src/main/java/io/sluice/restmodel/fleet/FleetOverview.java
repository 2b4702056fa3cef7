// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The totals of the fleet, and a page of its slices. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FleetOverview(
    @JsonPropertyDescription("The executor of the fleet's hosts") String executor,
    @JsonPropertyDescription("Number of hosts, including those of slices") int hosts,
    @JsonPropertyDescription("Number of hosts that have failed and have not returned")
        int hostsFailed,
    @JsonPropertyDescription("Numbers of slices") SliceCount sliceCount,
    @JsonPropertyDescription(
            "The clusters whose nodes form the fleet, as this server sees them; absent if no"
                + " cluster does")
        @Nullable List<FleetCluster> clusters,
    @JsonPropertyDescription(
            "Hosts and slices left out because their names are taken, with the reasons, at most"
                + " 100; absent if there are none")
        @Nullable Map<String, String> refused,
    @JsonPropertyDescription("The slices of this page, by name") List<SliceView> slices,
    @JsonPropertyDescription(
            "Where the next page starts, for the parameter cursor; absent on the last page")
        @Nullable String nextCursor) {
  public FleetOverview {
    clusters = clusters == null ? null : List.copyOf(clusters);
    refused = refused == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(refused));
    slices = List.copyOf(slices);
  }

  /** Numbers of slices by condition and use. */
  public record SliceCount(
      @JsonPropertyDescription("All slices") int all,
      @JsonPropertyDescription("Slices that are neither absent nor leaving") int ready,
      @JsonPropertyDescription("Slices that their provider is reclaiming") int leaving,
      @JsonPropertyDescription("Slices that are not available") int absent,
      @JsonPropertyDescription("Slices that attempts hold, wholly or in part") int held,
      @JsonPropertyDescription("Slices that are kept for the jobs that they were granted for")
          int kept) {}

  /** A cluster whose nodes are hosts of the fleet. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FleetCluster(
      @JsonPropertyDescription("Name of the cluster") String name,
      @JsonPropertyDescription("Number of nodes") int nodes,
      @JsonPropertyDescription("Since when the cluster does not answer; absent if it answers")
          @Nullable Instant unreachableSince,
      @JsonPropertyDescription(
              "Node pools that are not part of the fleet, with the reasons, at most 100; absent"
                  + " if there are none")
          @Nullable Map<String, String> refused,
      @JsonPropertyDescription(
              "Node pools with missing nodes, with the reasons, at most 100; absent if there"
                  + " are none")
          @Nullable Map<String, String> incomplete) {
    public FleetCluster {
      refused = refused == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(refused));
      incomplete =
          incomplete == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(incomplete));
    }
  }
}
