// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WaitTime;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import io.sluice.queuemodel.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Waits for a state of jobs. */
@Command(
    name = "wait",
    description = "Waits until jobs are in a state; by default, until they have succeeded.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example: sluice wait train --for=state=RUNNING --timeout 10m",
      ExitCode.WAIT_FOOTER
    })
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class WaitCommand implements Callable<Integer> {
  private static final String STATE = "state=";

  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the jobs. Default: all namespaces.")
  @Nullable String namespace;

  @Option(
      names = "--for",
      paramLabel = "state=STATE[,STATE]",
      defaultValue = "state=SUCCEEDED",
      description =
          "States to wait for. A job that ends in another state ends the wait with exit code 1; "
              + "for RUNNING, a job that has succeeded counts. Default: ${DEFAULT-VALUE}.")
  String condition;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description =
          "Longest wait for all jobs, such as 90s, 30m or 2h; then the exit code is 124. "
              + "Default: no limit.")
  @Nullable String timeout;

  @Parameters(paramLabel = "JOB", arity = "1..*", description = NameLookup.JOB_FORMS)
  List<String> jobs;

  @Override
  public Integer call() throws InterruptedException {
    Set<String> states = states(condition);
    Instant deadline = timeout == null ? null : Instant.now().plus(WaitTime.parse(timeout));
    ServerClient client = server.client();
    NameLookup names = new NameLookup(client, namespace);
    List<String> ids = new ArrayList<>();
    for (String job : jobs) {
      ids.add(names.id(NamedKind.JOB, job, NameLookup.Purpose.READ));
    }
    JobWaiting waiting = new JobWaiting(client, Terminal.standard());
    int code = ExitCode.OK;
    for (String id : ids) {
      code = Math.max(code, waiting.await(id, states, deadline));
    }
    return code;
  }

  /**
   * Parses the states.
   *
   * @throws WrongUsageException naming what is allowed
   */
  static Set<String> states(String condition) {
    if (!condition.startsWith(STATE)) {
      throw new WrongUsageException(
          "--for must be state=STATE, such as state=RUNNING, it is " + condition);
    }
    List<String> known = Stream.of(JobState.values()).map(JobState::name).toList();
    Set<String> states = new LinkedHashSet<>();
    for (String written : condition.substring(STATE.length()).split(",", -1)) {
      String state = written.strip().toUpperCase(Locale.ROOT);
      if (!known.contains(state)) {
        throw new WrongUsageException(
            "--for has the state \"%s\"; the states are %s"
                .formatted(written, String.join(", ", known)));
      }
      states.add(state);
    }
    return states;
  }
}
