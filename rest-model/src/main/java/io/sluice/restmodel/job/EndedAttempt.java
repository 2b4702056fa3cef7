// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an attempt held that has ended, and from when until when. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EndedAttempt(
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
    @JsonPropertyDescription("Namespace of the job; absent for a job that the caller may not read")
        @Nullable String namespace,
    @JsonPropertyDescription(
            "Name of the LocalQueue of the job; absent for a job that the caller may not read")
        @Nullable String queue,
    @JsonPropertyDescription("The ClusterQueue whose quota it used") String clusterQueue,
    @JsonPropertyDescription("When it was admitted") Instant from,
    @JsonPropertyDescription("When it ended") Instant to,
    @JsonPropertyDescription("Its outcome") String outcome,
    @JsonPropertyDescription("Amounts of quota when it ended, by flavor and resource")
        List<QuotaAmount> amounts,
    @JsonPropertyDescription("Names of slices that it held when it ended; empty without slices")
        List<String> slices) {
  public EndedAttempt {
    amounts = List.copyOf(amounts);
    slices = List.copyOf(slices);
  }

  /** An amount of a resource in a flavor. */
  public record QuotaAmount(
      @JsonPropertyDescription("Name of the flavor") String flavor,
      @JsonPropertyDescription("Name of the resource") String resource,
      @JsonPropertyDescription("Amount, a quantity") String amount) {}
}
