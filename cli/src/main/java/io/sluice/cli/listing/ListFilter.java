// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.WaitTime;
import io.sluice.cli.options.WrongUsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that filter the items of a list. */
final class ListFilter {
  private static final Duration HORIZON = Duration.ofHours(12);

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Only objects of this namespace. Default: that of the context, else all.")
  @Nullable String namespace;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Objects of all namespaces, also if the context has one.")
  boolean allNamespaces;

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      description = "Only jobs of this LocalQueue; of jobs and plan.")
  @Nullable String queue;

  @Option(
      names = {"-s", "--state"},
      paramLabel = "STATE",
      description = "Only jobs, runs or attempts in this state. Repeatable for jobs and attempts.")
  List<String> states = new ArrayList<>();

  @Option(names = "--held", description = "Only jobs that are held.")
  boolean held;

  @Option(
      names = {"-l", "--label"},
      paramLabel = "KEY=VALUE[,KEY=VALUE]",
      description = "Only jobs with all of these labels. Repeatable.")
  List<String> labels = new ArrayList<>();

  @Option(
      names = "--within",
      paramLabel = "TIME",
      description = "How far the plan is shown, such as 90m or 2d. Default: 12h.")
  @Nullable String within;

  @Option(
      names = "--index",
      paramLabel = "N",
      description = "Only attempts of this index of an array.")
  @Nullable Integer index;

  /**
   * Refuses options that do not apply to the kind.
   *
   * @throws WrongUsageException naming the first of them
   */
  void check(Kinds kinds) {
    if (allNamespaces && namespace != null) {
      throw new WrongUsageException("--namespace and --all-namespaces exclude each other");
    }
    boolean jobs = kinds == Kinds.JOBS;
    refuse(queue != null && !jobs && kinds != Kinds.PLAN, "--queue", "jobs and plan", kinds);
    refuse(within != null && kinds != Kinds.PLAN, "--within", "plan", kinds);
    Duration unused = horizon();
    refuse(held && !jobs, "--held", "jobs", kinds);
    refuse(!labels.isEmpty() && !jobs, "--label", "jobs", kinds);
    refuse(index != null && kinds != Kinds.ATTEMPTS, "--index", "attempts", kinds);
    boolean hasStates = jobs || kinds == Kinds.RUNS || kinds == Kinds.ATTEMPTS;
    refuse(!states.isEmpty() && !hasStates, "--state", "jobs, runs and attempts", kinds);
    if (kinds == Kinds.RUNS && states.size() > 1) {
      throw new WrongUsageException("--state may be given once for runs");
    }
    requirements();
  }

  /** Returns how far the plan is shown. */
  Duration horizon() {
    return within == null ? HORIZON : WaitTime.parse(within);
  }

  /** Whether a job has one of the states, all of the labels, and a hold if that is asked for. */
  boolean matches(JsonNode job) {
    JsonNode status = job.path("status");
    String state = status.path("state").asText();
    boolean inState = states.isEmpty() || states.stream().anyMatch(state::equalsIgnoreCase);
    return inState
        && (!held || status.has("hold"))
        && requirements().stream().allMatch(required -> hasLabel(job, required));
  }

  private static boolean hasLabel(JsonNode job, String required) {
    int equals = required.indexOf('=');
    return job.path("metadata")
        .path("labels")
        .path(required.substring(0, equals))
        .asText("")
        .equals(required.substring(equals + 1));
  }

  private static void refuse(boolean wrong, String option, String of, Kinds kinds) {
    if (wrong) {
      throw new WrongUsageException(option + " is of " + of + ", not of " + kinds.plural());
    }
  }

  /** Returns the required labels, as {@code KEY=VALUE}; a comma joins several. */
  List<String> requirements() {
    List<String> requirements = new ArrayList<>();
    for (String written : labels) {
      for (String one : written.split(",", -1)) {
        int equals = one.indexOf('=');
        if (equals < 1 || one.indexOf('=', equals + 1) >= 0 || one.charAt(equals - 1) == '!') {
          throw new WrongUsageException(
              "--label must be KEY=VALUE, or several joined by commas, it is " + written);
        }
        requirements.add(one);
      }
    }
    return requirements;
  }
}
