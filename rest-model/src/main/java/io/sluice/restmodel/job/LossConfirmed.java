// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** An attempt that an administrator confirmed lost. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LossConfirmed(
    @JsonPropertyDescription("Id of the job") String id,
    @JsonPropertyDescription("Index of the job, from 0") int index,
    @JsonPropertyDescription("Number of the attempt of that index, from 1") int attempt) {}
