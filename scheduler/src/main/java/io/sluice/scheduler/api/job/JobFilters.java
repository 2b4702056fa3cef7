// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.admission.explain.Blocker;
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
      @Nullable String team,
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
        team,
        states.stream().map(JobFilters::state).toList(),
        held,
        Parameters.labels("label", labels),
        Parameters.times(since, until));
  }

  /** The blocker of a word, in upper or lower case. */
  static Blocker blocker(String word) {
    return choice("blocker", word, Blocker.values());
  }

  /** The state of a word, in upper or lower case. */
  private static JobState state(String word) {
    return choice("state", word, JobState.values());
  }

  private static <E extends Enum<E>> E choice(String name, String word, E[] choices) {
    for (E choice : choices) {
      if (choice.name().equals(word.toUpperCase(Locale.ROOT))) {
        return choice;
      }
    }
    throw ProblemException.badRequest(
        "%s must be one of %s, it is %s"
            .formatted(name, Arrays.toString(choices), Parameters.shown(word)));
  }
}
