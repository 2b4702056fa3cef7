// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An allocation of a slice to an attempt. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceAllocation(
    @JsonPropertyDescription("Name of the slice") String slice,
    @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
        @Nullable String job,
    @JsonPropertyDescription(
            "Index of the job, from 0; absent for a job that the caller may not read")
        @Nullable Integer index,
    @JsonPropertyDescription(
            "Number of the attempt of that index, from 1; absent for a job that the caller may not"
                + " read")
        @Nullable Integer attempt,
    @JsonPropertyDescription("Name of the job; absent for a job that the caller may not read")
        @Nullable String name,
    @JsonPropertyDescription("Start of the allocation") Instant from,
    @JsonPropertyDescription("End of the allocation; absent while it lasts")
        @Nullable Instant to) {}
