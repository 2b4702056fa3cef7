// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A request about a job that is durable and takes effect in the next round. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobAccepted(
    @JsonPropertyDescription("Id of the job") String id,
    @JsonPropertyDescription("State of the job before the request") String state) {}
