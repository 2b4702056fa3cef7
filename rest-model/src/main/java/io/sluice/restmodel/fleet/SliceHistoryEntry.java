// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry in the history of a slice: an allocation, of kind {@code Held}, or an event. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceHistoryEntry(
    @JsonPropertyDescription("Sequence of the batch of the allocation or event") long sequence,
    @JsonPropertyDescription("Time of the batch") Instant at,
    @JsonPropertyDescription("Held for an allocation, otherwise the kind of the event") String kind,
    @JsonPropertyDescription("The entry as a sentence, for people") String text,
    @JsonPropertyDescription(
            "Id of the job; absent if the event concerns none, or one that the caller may not read")
        @Nullable String job,
    @JsonPropertyDescription("Namespace of the job; absent as its id") @Nullable String namespace,
    @JsonPropertyDescription("Name of the job; absent as its id") @Nullable String name,
    @JsonPropertyDescription("Index of the job, from 0; absent as its id") @Nullable Integer index,
    @JsonPropertyDescription(
            "Number of the attempt of that index, from 1; absent as the id of the job")
        @Nullable Integer attempt,
    @JsonPropertyDescription(
            "First generation of the attempt that held the slice; absent of an event")
        @Nullable Integer fromGeneration,
    @JsonPropertyDescription(
            "Last generation of the attempt that held it; absent while the allocation lasts")
        @Nullable Integer toGeneration,
    @JsonPropertyDescription(
            "Sequence of the batch that ended the allocation; absent while it lasts")
        @Nullable Long toSequence,
    @JsonPropertyDescription("End of the allocation; absent while it lasts") @Nullable Instant to,
    @JsonPropertyDescription("Outcome of the attempt; absent until it has ended")
        @Nullable String outcome) {}
