// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** An index of a job. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobIndex(
    @JsonPropertyDescription("Id of the job") String job,
    @JsonPropertyDescription("Index of the job, from 0") int index) {}
