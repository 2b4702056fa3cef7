// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A checkpoint that is durable. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CheckpointAccepted(
    @JsonPropertyDescription("Id of the job") String id,
    @JsonPropertyDescription("Index of the job, from 0") int index,
    @JsonPropertyDescription("Number of the attempt of that index, from 1") int attempt,
    @JsonPropertyDescription("Generation of the attempt, from 1") int generation,
    @JsonPropertyDescription("Where the checkpoint is") String text) {}
