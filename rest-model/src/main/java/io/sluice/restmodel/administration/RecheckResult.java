// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of deciding recorded batches again. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RecheckResult(
    @JsonPropertyDescription("Sequence of the first batch") long from,
    @JsonPropertyDescription(
            "Sequence of the last batch that was decided again; at most that of the first"
                + " difference")
        long to,
    @JsonPropertyDescription("Sequence of the snapshot that the recheck started from")
        long snapshot,
    @JsonPropertyDescription("Whether all decisions were the same") boolean same,
    @JsonPropertyDescription("The first difference; absent if there is none")
        @Nullable RecheckDifference difference,
    @JsonPropertyDescription("Sequence to continue at; absent if no more batches were requested")
        @Nullable Long next) {
  /** The first event that differs from the recorded one. */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  public record RecheckDifference(
      @JsonPropertyDescription("Sequence of the batch") long sequence,
      @JsonPropertyDescription("Position of the event in its batch, from 0") int position,
      @JsonPropertyDescription("The recorded event; null if the batch has none at that position")
          @Nullable JournalEvent recorded,
      @JsonPropertyDescription("The event as decided again; null if none was decided there")
          @Nullable JournalEvent recomputed) {}

  /** An event in the format of the journal. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JournalEvent(
      @JsonPropertyDescription("Kind of the event") String kind,
      @JsonPropertyDescription("Id of the job; absent if the event concerns none")
          @Nullable String job,
      @JsonPropertyDescription("The event as the journal stores it") Map<String, Object> body) {
    public JournalEvent {
      body = Collections.unmodifiableMap(new LinkedHashMap<>(body));
    }
  }
}
