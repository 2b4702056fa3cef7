// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.fleet.FleetOverview;
import io.sluice.restmodel.job.JobView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The server, the terminal and the jobs of one run of the demonstration. Every submission has an
 * idempotency key, so a repeated run on the same data continues.
 */
final class Stage {
  private static final String RUN_LABEL = "sluice.io/demo";
  private static final int JOBS_MAX = 500;
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final DemoServer server;
  private final Terminal terminal;
  private final StoryBoard board;
  private final int run;

  /**
   * Continues an unfinished run, else begins a new one.
   *
   * @param jobsWhole number of jobs in a whole run
   */
  Stage(DemoServer server, Terminal terminal, int jobsWhole) {
    this.server = server;
    this.terminal = terminal;
    this.board = new StoryBoard(terminal);
    int last = 0;
    for (JobView job : client().list("/v1/jobs?limit=500", JOBS_MAX, JobView.class)) {
      last = Math.max(last, runOf(job));
    }
    List<StoryJob> jobs = last == 0 ? List.of() : jobs(last);
    boolean over = jobs.size() == jobsWhole && jobs.stream().allMatch(StoryJob::ended);
    this.run = last == 0 || over ? last + 1 : last;
  }

  /** Returns the number of the run that a job is of; 0 if it is not of the demonstration. */
  private static int runOf(JobView job) {
    Map<String, String> labels = job.metadata().labels();
    String run = labels == null ? null : labels.get(RUN_LABEL);
    return run == null || !run.matches("[0-9]{1,9}") ? 0 : Integer.parseInt(run);
  }

  /** Returns the client of the current server; callers must not keep it. */
  ServerClient client() {
    return server.client();
  }

  Terminal terminal() {
    return terminal;
  }

  /** Returns the number of this run on its data. */
  int run() {
    return run;
  }

  /** Returns the path of a file of the demonstration. */
  Path file(String name) {
    return server.file(name);
  }

  void crashAndReturn() throws IOException, InterruptedException {
    board.finish();
    server.crashAndReturn(terminal);
  }

  void heading(String text) {
    board.finish();
    terminal.print("");
    terminal.print(terminal.styled(Terminal.Style.BOLD, text));
  }

  /** Returns the jobs of this run, by name. */
  List<StoryJob> jobs() {
    return jobs(run);
  }

  private List<StoryJob> jobs(int ofRun) {
    List<StoryJob> jobs = new ArrayList<>();
    String path = "/v1/jobs?limit=500&label=" + ServerClient.encode(RUN_LABEL + "=" + ofRun);
    client().list(path, JOBS_MAX, JobView.class).forEach(job -> jobs.add(StoryJob.of(job)));
    jobs.sort(Comparator.comparing(StoryJob::name));
    return jobs;
  }

  /** Reads the job from the server. */
  StoryJob job(String name) {
    return jobs().stream()
        .filter(job -> job.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new ClientException("job " + name + " is gone"));
  }

  /** Returns the manifest of a job on v6e slices whose workers run for some seconds. */
  ObjectNode draft(String team, String name, String priority, int slices, int seconds) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "sluice.io/v1").put("kind", "Job");
    ObjectNode metadata = json.putObject("metadata").put("name", name).put("namespace", team);
    metadata.putObject("labels").put(RUN_LABEL, Integer.toString(run));
    ObjectNode spec = json.putObject("spec").put("queue", "main").put("priorityClass", priority);
    spec.putObject("accelerator").put("type", "v6e").put("topology", "4x4").put("slices", slices);
    spec.putArray("command")
        .add("sh")
        .add(file("worker.sh").toString())
        .add(Integer.toString(seconds))
        .add(file("books").toString());
    spec.put("gracePeriod", "2s");
    return json;
  }

  /** Submits a job, once per run. */
  void submit(ObjectNode draft) {
    String key = "demo-" + run + "-" + draft.path("metadata").path("name").asText();
    client().postIdempotent("/v1/jobs", draft.toString().getBytes(StandardCharsets.UTF_8), key);
  }

  /** A condition to wait for. */
  interface Condition {
    boolean holds(List<StoryJob> jobs);
  }

  /** Shows the jobs until the condition holds. */
  void watchUntil(Condition condition) throws InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    List<StoryJob> jobs = jobs();
    show(jobs);
    while (!condition.holds(jobs)) {
      if (Instant.now().isAfter(deadline)) {
        throw new ClientException("the demonstration does not progress; see the jobs above");
      }
      Thread.sleep(POLL.toMillis());
      jobs = jobs();
      show(jobs);
    }
  }

  /** Shows the jobs for a while, so that people can follow. */
  void linger(Duration time) throws InterruptedException {
    Instant until = Instant.now().plus(time);
    watchUntil(jobs -> Instant.now().isAfter(until));
  }

  private void show(List<StoryJob> jobs) {
    board.show(jobs, client().get("/v1/fleet", FleetOverview.class));
  }

  /** Ends the redrawing of the table. */
  void finish() {
    board.finish();
  }
}
