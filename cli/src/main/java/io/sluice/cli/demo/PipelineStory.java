// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.RunStep;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Demonstrates a nightly training pipeline: applies and runs it, kills its server during the
 * training, and finally checks that each step ran once and read the right inputs.
 */
final class PipelineStory {
  private static final String PIPELINE = "/v1/pipelines/language/nightly-training";
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED", "CANCELLED");
  private static final Pattern WORKER = Pattern.compile("worker (\\d) of slice (\\d)/2");
  private static final int PARTS = 8;
  private static final int WORKERS = 8;

  private final DemoServer server;
  private final Terminal terminal;
  private final Promises promises = new Promises();

  PipelineStory(DemoServer server, Terminal terminal) {
    this.server = server;
    this.terminal = terminal;
  }

  /**
   * Runs the demonstration.
   *
   * @return whether all checks passed
   */
  boolean tell() throws IOException, InterruptedException {
    heading(
        "examples/nightly-training.yaml: ingest, preprocessing in eight parts, training on two"
            + " slices of the compute class cost-optimized, evaluation, export, a word at the"
            + " end.");
    server.client().postIdempotent("/v1/apply", DemoServer.example("nightly-training.yaml"), null);
    String id =
        server.client().postIdempotent(PIPELINE + "/runs", new byte[0], "demo", Run.class).id();
    Run run = watchUntil(id, now -> state(now, "train").equals("RUNNING") || ended(now));
    if (!ended(run)) {
      Thread.sleep(Duration.ofSeconds(1).toMillis());
      heading("Its server is killed while it trains; the processes go on, and so does the next.");
      server.crashAndReturn(terminal);
    }
    run = watchUntil(id, PipelineStory::ended);
    if (!terminal.interactive()) {
      terminal.print(new RunPage(terminal, Instant.now()).lines(run));
    }
    return verdict(run);
  }

  private void heading(String text) {
    terminal.keepDrawn();
    terminal.print("");
    terminal.print(terminal.styled(Terminal.Style.BOLD, text));
    terminal.print("");
  }

  private Run watchUntil(String id, Predicate<Run> reached) throws InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    Run run = server.client().get("/v1/runs/" + id, Run.class);
    while (!reached.test(run)) {
      if (Instant.now().isAfter(deadline)) {
        throw new ClientException("the run does not progress: " + run);
      }
      terminal.redraw(new RunPage(terminal, Instant.now()).lines(run));
      Thread.sleep(POLL.toMillis());
      run = server.client().get("/v1/runs/" + id, Run.class);
    }
    terminal.redraw(new RunPage(terminal, Instant.now()).lines(run));
    return run;
  }

  private static boolean ended(Run run) {
    return ENDED.contains(run.state());
  }

  private static RunStep step(Run run, String name) {
    for (RunStep step : RunPage.steps(run)) {
      if (step.name().equals(name)) {
        return step;
      }
    }
    throw new ClientException("the run has no step " + name);
  }

  private static String state(Run run, String step) {
    return Cell.orEmpty(step(run, step).state());
  }

  private boolean verdict(Run run) throws IOException {
    promises.check(run.state().equals("SUCCEEDED"), "the run succeeded");
    promises.check(
        state(run, "keep-last-model").equals("SKIPPED"),
        "the step for a bad evaluation was passed over");
    int tries = 0;
    for (RunStep step : RunPage.steps(run)) {
      tries += RunPage.tries(step).size();
    }
    int expected = RunPage.steps(run).size() - 2 + PARTS;
    promises.check(
        tries == expected,
        "%d jobs for %d parts of steps, over the end of a server".formatted(tries, expected));
    TreeSet<String> workers = new TreeSet<>();
    Matcher found = WORKER.matcher(logs(run, "train"));
    while (found.find()) {
      workers.add(found.group());
    }
    promises.check(workers.size() == WORKERS, "%d workers on two slices".formatted(workers.size()));
    promises.check(
        logs(run, "train").contains("\"tokens\":358400"),
        "the training read what eight parts wrote");
    promises.check(
        logs(run, "export").contains("exported step-5"), "the export read what training wrote");
    promises.check(
        logs(run, "tell").contains("nightly-training-1 succeeded, training succeeded"),
        "the word at the end says how the run ended");
    return promises.print(
        terminal, "The pipeline came out as promised.", "It did not come out as promised.");
  }

  private String logs(Run run, String step) throws IOException {
    StringBuilder logs = new StringBuilder();
    for (RunStep.Try part : RunPage.last(step(run, step))) {
      String job = Cell.orEmpty(part.job());
      try (InputStream log = server.client().stream("/v1/jobs/" + job + "/logs")) {
        logs.append(new String(log.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return logs.toString();
  }
}
