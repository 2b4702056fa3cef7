// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The snapshots of the journal, and the range of batches that can be rechecked. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JournalOverview(
    @JsonPropertyDescription("Version of the engine of this server") int engineVersion,
    @JsonPropertyDescription(
            "Sequence of the first batch that can be rechecked; absent without snapshots")
        @Nullable Long first,
    @JsonPropertyDescription("Sequence of the last batch that this server has") long last,
    @JsonPropertyDescription("The snapshots of this page, the newest first")
        List<JournalSnapshot> snapshots,
    @JsonPropertyDescription(
            "Where the next page starts, for the parameter cursor; absent on the last page")
        @Nullable String nextCursor) {
  public JournalOverview {
    snapshots = List.copyOf(snapshots);
  }

  /** A stored snapshot of the state. */
  public record JournalSnapshot(
      @JsonPropertyDescription("Sequence of the last batch that the snapshot includes")
          long sequence,
      @JsonPropertyDescription("Start of the snapshot") Instant takenAt,
      @JsonPropertyDescription("Number of jobs that had not ended") int jobs,
      @JsonPropertyDescription("Stored size in bytes, compressed") long bytes) {}
}
