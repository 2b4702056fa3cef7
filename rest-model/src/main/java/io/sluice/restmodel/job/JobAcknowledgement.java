// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A job that was submitted and is durable. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobAcknowledgement(
    @JsonPropertyDescription("Id of the job") String id,
    @JsonPropertyDescription("Namespace of the job") String namespace,
    @JsonPropertyDescription("Name of the job") String name,
    @JsonPropertyDescription(
            "Whether an earlier request with the same idempotency key stored the job")
        boolean replayed,
    @JsonPropertyDescription("Fields that the compute class filled in; absent if it filled in none")
        @Nullable FilledDefaults defaults,
    @JsonPropertyDescription(
            "Time limit that the LocalQueue gave to the job; absent if the job has its own, or none")
        @Nullable String timeLimit) {}
