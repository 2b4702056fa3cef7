// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.explanation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a rung of a compute class for a waiting job. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RungView(
    @JsonPropertyDescription("Number of the rung, from 1") int rung,
    @JsonPropertyDescription("Capacity type of the rung, as in a manifest") String capacityType,
    @JsonPropertyDescription("ROOM, CAPACITY_LACKS, QUOTA_LACKS, CLOSED or NO_FLAVOR")
        String standing,
    @JsonPropertyDescription("Start of the wait for capacity; absent if the job waits for none")
        @Nullable Instant since,
    @JsonPropertyDescription(
            "When the rung closes for lack of capacity, or may be tried again; absent without such a time")
        @Nullable Instant until,
    @JsonPropertyDescription(
            "Price of a chip for an hour, a decimal number in the currency of the class; absent if unknown")
        @Nullable String pricePerChipHour) {}
