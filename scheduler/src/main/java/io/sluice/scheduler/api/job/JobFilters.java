// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.job.JobFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the filters of requests for jobs. */
final class JobFilters {
  private JobFilters() {}

  /** The filter of a request for jobs; refuses a parameter that it cannot read. */
  static JobFilter of(
      NamespaceScope namespaces,
      @Nullable String queue,
      @Nullable String clusterQueue,
      @Nullable String name,
      @Nullable String priorityClass,
      @Nullable String computeClass,
      List<String> states,
      @Nullable Boolean held,
      List<String> labels,
      @Nullable String since,
      @Nullable String until) {
    return new JobFilter(
        namespaces,
        queue,
        clusterQueue,
        name,
        priorityClass,
        computeClass,
        states.stream().map(JobFilters::state).toList(),
        held,
        Parameters.labels("label", labels),
        Parameters.times(since, until));
  }

  /** The state of a word, in upper or lower case. */
  private static JobState state(String word) {
    for (JobState state : JobState.values()) {
      if (state.name().equals(word.toUpperCase(Locale.ROOT))) {
        return state;
      }
    }
    throw ProblemException.badRequest(
        "state must be one of "
            + Arrays.toString(JobState.values())
            + ", it is "
            + Parameters.shown(word));
  }
}
