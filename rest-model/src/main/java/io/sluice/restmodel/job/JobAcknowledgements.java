// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** The jobs of one request, all stored. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobAcknowledgements(
    @JsonPropertyDescription("The jobs, in the order of the request")
        List<JobAcknowledgement> jobs) {
  public JobAcknowledgements {
    jobs = List.copyOf(jobs);
  }
}
