// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A change of a job's priority class that is durable and takes effect in the next round. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobPrioritized(
    @JsonPropertyDescription("Id of the job") String id,
    @JsonPropertyDescription("State of the job before the request") String state,
    @JsonPropertyDescription("The new WorkloadPriorityClass") String priorityClass,
    @JsonPropertyDescription("Value of that class at the time of the request") int priority) {}
