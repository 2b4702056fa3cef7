// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A schedule of a pipeline with its progress. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PipelineSchedule(
    @JsonPropertyDescription("The namespace of the pipeline") String namespace,
    @JsonPropertyDescription("The name of the pipeline") String pipeline,
    @JsonPropertyDescription("The name of the schedule in its pipeline") String name,
    @JsonPropertyDescription("The cron line") String cron,
    @JsonPropertyDescription("The time zone of the cron line") String timeZone,
    @JsonPropertyDescription("What happens if the previous run has not ended")
        String concurrencyPolicy,
    @JsonPropertyDescription("What happens to times that were missed") String misfirePolicy,
    @JsonPropertyDescription("Whether it is paused and does not fire") boolean paused,
    @JsonPropertyDescription("The user that saved it, who owns its runs") String savedBy,
    @JsonPropertyDescription("The time up to which all its logical times were handled")
        Instant consideredTo,
    @JsonPropertyDescription(
            "The next logical time; absent while it is paused, and if it will not fire again")
        @Nullable Instant nextTime,
    @JsonPropertyDescription("When that time fires, jitter included; absent in the same cases")
        @Nullable Instant dueAt,
    @JsonPropertyDescription("The number of missed fires that were not made up for") long missed,
    @JsonPropertyDescription("The last of them; absent if there was none")
        @Nullable Instant missedAt,
    @JsonPropertyDescription("Why the last of them was missed; absent if there was none")
        @Nullable String missedReason,
    @JsonPropertyDescription("The next logical times; absent in lists")
        @Nullable List<Instant> upcoming) {
  public PipelineSchedule {
    upcoming = upcoming == null ? null : List.copyOf(upcoming);
  }
}
