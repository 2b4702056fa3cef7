// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Two teams share four slices. A low-priority sweep fills all of them, half on borrowed quota; a
 * training job of two slices claims its team's half, and as many whole jobs of the sweep make room;
 * when it has ended, they come back.
 *
 * <p>Everything submitted has a key, so that the story told again on the same data goes on.
 */
final class DemoStory {
  static final String TRAINING = "train";
  private static final String RUN_LABEL = "sluice.io/demo";
  private static final int SWEEP_JOBS = 6;
  private static final int SLICES = 4;
  private static final int SWEEP_SECONDS = 7;
  private static final int TRAINING_SECONDS = 6;
  private static final int JOBS_MAX = 500;
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final DemoServer server;
  private final ServerClient client;
  private final Terminal terminal;
  private final StoryBoard board;

  DemoStory(DemoServer server, Terminal terminal) {
    this.server = server;
    this.client = server.client();
    this.terminal = terminal;
    this.board = new StoryBoard(terminal);
  }

  /**
   * Tells the story.
   *
   * @return whether it came out as promised
   */
  boolean tell() throws IOException, InterruptedException {
    int run = presentRun();
    heading("Two teams, research and training, share four v6e slices of 16 chips, half each.");
    client.postIdempotent("/v1/apply", Files.readAllBytes(server.file("quota.yaml")), null);
    heading(
        "Research submits a sweep of %d preemptible jobs, one slice each: four run, two of them"
                .formatted(SWEEP_JOBS)
            + " on quota borrowed from training.");
    submitSweep(run);
    boolean resumed = jobs(run).stream().anyMatch(StoryJob::training);
    if (!resumed) {
      watchUntil(run, jobs -> count(jobs, "RUNNING") == SLICES);
      Thread.sleep(Duration.ofSeconds(2).toMillis());
    }
    heading(
        "Training submits one job of two whole slices. Its quota is lent out, so it is claimed"
            + " back: the newest of the sweep make room.");
    submitTraining(run);
    watchUntil(run, jobs -> jobs.stream().allMatch(StoryJob::ended));
    board.finish();
    List<StoryJob> jobs = jobs(run);
    terminal.print("");
    terminal.print(new Timeline(client, jobs).lines());
    terminal.print("");
    Verdict verdict = new Verdict(client, jobs, server.file("books"));
    return verdict.print(terminal);
  }

  private void heading(String text) {
    board.finish();
    terminal.print("");
    terminal.print(terminal.styled(Terminal.Style.BOLD, text));
  }

  /** The story that has begun and not ended, else a new one. */
  private int presentRun() {
    int last = 0;
    for (JsonNode job : client.list("/v1/jobs?limit=500", JOBS_MAX)) {
      last = Math.max(last, job.path("metadata").path("labels").path(RUN_LABEL).asInt(0));
    }
    List<StoryJob> jobs = last == 0 ? List.of() : jobs(last);
    boolean over = jobs.size() == SWEEP_JOBS + 1 && jobs.stream().allMatch(StoryJob::ended);
    return last == 0 || over ? last + 1 : last;
  }

  private List<StoryJob> jobs(int run) {
    List<StoryJob> jobs = new ArrayList<>();
    for (JsonNode job :
        client.list(
            "/v1/jobs?limit=500&label=" + ServerClient.encode(RUN_LABEL + "=" + run), JOBS_MAX)) {
      jobs.add(StoryJob.of(job));
    }
    jobs.sort(Comparator.comparing(StoryJob::name));
    return jobs;
  }

  private static long count(List<StoryJob> jobs, String state) {
    return jobs.stream().filter(job -> job.state().equals(state)).count();
  }

  private void submitSweep(int run) {
    for (int number = 1; number <= SWEEP_JOBS; number++) {
      submit(run, job("research", "sweep-" + number, "low", run, 1, SWEEP_SECONDS));
    }
  }

  private void submitTraining(int run) {
    submit(run, job("training", TRAINING, "high", run, 2, TRAINING_SECONDS));
  }

  private void submit(int run, ObjectNode job) {
    String key = "demo-" + run + "-" + job.path("metadata").path("name").asText();
    client.postIdempotent("/v1/jobs", job.toString().getBytes(StandardCharsets.UTF_8), key);
  }

  private ObjectNode job(
      String team, String name, String priority, int run, int slices, int seconds) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "sluice.io/v1").put("kind", "Job");
    ObjectNode metadata = json.putObject("metadata").put("name", name).put("namespace", team);
    metadata.putObject("labels").put(RUN_LABEL, Integer.toString(run));
    ObjectNode spec = json.putObject("spec").put("queue", "main").put("priorityClass", priority);
    spec.putObject("accelerator").put("type", "v6e").put("topology", "4x4").put("slices", slices);
    spec.putArray("command")
        .add("sh")
        .add(server.file("worker.sh").toString())
        .add(Integer.toString(seconds))
        .add(server.file("books").toString());
    spec.put("gracePeriod", "2s");
    return json;
  }

  /** What the story waits for. */
  private interface Condition {
    boolean holds(List<StoryJob> jobs);
  }

  private void watchUntil(int run, Condition condition) throws InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    List<StoryJob> jobs = jobs(run);
    board.show(jobs, client.get("/v1/fleet"));
    while (!condition.holds(jobs)) {
      if (Instant.now().isAfter(deadline)) {
        throw new ClientException("the story does not go on; see the jobs above");
      }
      Thread.sleep(POLL.toMillis());
      jobs = jobs(run);
      board.show(jobs, client.get("/v1/fleet"));
    }
  }
}
