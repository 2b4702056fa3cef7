// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.waiting.LogFollower;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.RunStep;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the logs of a step's pods. */
@Command(
    name = "logs",
    description = "Prints the output of the pods of a step.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class RunLogsCommand implements Callable<Integer> {
  @Mixin RunOptions options;

  @Parameters(index = "1", paramLabel = "STEP", description = "Name of the step.")
  String step;

  @Option(
      names = "--part",
      paramLabel = "N",
      description = "Part of a step that fans out, from 0. Default: all, one after another.")
  @Nullable Integer part;

  @Option(
      names = "--try",
      paramLabel = "N",
      description = "Number of the try, from 1. Default: the last.")
  @Nullable Integer tryNumber;

  @Option(
      names = {"-f", "--follow"},
      description = "Continue until the try ends.")
  boolean follow;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerClient client = options.client();
    String id = options.id(client, NameLookup.Purpose.READ);
    for (String job : jobs(client.get("/v1/runs/" + id, Run.class))) {
      print(client, job);
    }
    return 0;
  }

  private void print(ServerClient client, String job) throws IOException, InterruptedException {
    if (follow) {
      LogFollower.Wanted log = new LogFollower.Wanted(job, 0, null, null, null);
      new LogFollower(client, log, System.out).follow();
      return;
    }
    try (InputStream log = client.stream("/v1/jobs/" + job + "/logs")) {
      log.transferTo(System.out);
    }
    System.out.flush();
  }

  private List<String> jobs(Run run) {
    RunStep wanted = null;
    for (RunStep one : RunPage.steps(run)) {
      if (one.name().equals(step)) {
        wanted = one;
      }
    }
    if (wanted == null) {
      throw new ClientException("run " + run.name() + " has no step " + step);
    }
    List<RunStep.Try> tries = tryNumber == null ? RunPage.last(wanted) : RunPage.tries(wanted);
    List<String> jobs = new ArrayList<>();
    for (RunStep.Try one : tries) {
      boolean meant =
          (part == null || one.part() == part) && (tryNumber == null || one.number() == tryNumber);
      String job = one.job();
      if (meant && job != null) {
        jobs.add(job);
      }
    }
    if (jobs.isEmpty()) {
      throw new ClientException("no matching job of step " + step + " was submitted yet");
    }
    return jobs;
  }
}
