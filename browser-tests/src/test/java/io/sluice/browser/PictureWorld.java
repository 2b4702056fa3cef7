// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import io.sluice.scheduler.process.Caller;
import io.sluice.scheduler.process.ServerHome;
import io.sluice.scheduler.process.StartedServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/** A server with a simulated fleet, and the jobs of three teams that stay as they are for hours. */
final class PictureWorld implements AutoCloseable {
  private static final List<String> TEAMS = List.of("vision", "speech", "language");
  private static final List<String> PROGRAMS = List.of("train", "finetune", "distill", "evaluate");

  private final ServerHome home;
  private final StartedServer server;
  private final Caller owner;

  private PictureWorld(ServerHome home, StartedServer server, Caller owner) {
    this.home = home;
    this.server = server;
    this.owner = owner;
  }

  static PictureWorld start() throws Exception {
    ServerHome home = ServerHome.of(read("fleet.yaml"));
    StartedServer server = home.start();
    Caller owner = server.caller();
    owner.post("/v1/apply", read("quota.yaml")).is(200);
    PictureWorld world = new PictureWorld(home, server, owner);
    world.submitJobs();
    return world;
  }

  /** Returns the text of a resource of these tests. */
  static String read(String name) throws IOException {
    try (InputStream in = PictureWorld.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void submitJobs() throws Exception {
    for (int i = 0; i < 36; i++) {
      String team = TEAMS.get(i % 3);
      String name = PROGRAMS.get(i % 4) + "-" + (i + 1);
      int hours = 1 + i % 5;
      String kind =
          switch (i % 4) {
            case 0 -> slices("v5e", "4x4", 1 + i % 3);
            case 1 -> slices("v6e", "4x4", 2);
            case 2 -> slices("v5e", "4x4", 4);
            default -> i % 8 == 7 ? slices("v6e", "8x8", 1) : "requests: {cpu: 4, memory: 8Gi}";
          };
      submit(team, name, hours, i % 6 == 5 ? "high" : "low", kind, 0);
    }
    submit("speech", "broken-data", 0, "low", "requests: {cpu: 1}", 3);
    owner.post("/v1/pipelines/language/nightly/runs", "{}").is(201);
    String failed = "/v1/jobs?name=broken-data&state=failed";
    var unused = owner.await(failed, reply -> !reply.json().at("/items").isEmpty());
    unused = owner.await("/v1/runs", reply -> trains(reply));
    // A line that comes later would move what is below it.
    String explanation = "/v1/jobs/" + waitingJob() + "/explanation";
    unused = owner.await(explanation, reply -> reply.text().contains("\"expectedStart\""));
  }

  private static boolean trains(Caller.Reply runs) {
    return runs.text().contains("\"RUNNING\"");
  }

  private static String slices(String type, String topology, int count) {
    return "accelerator: {type: %s, topology: %s, slices: %d}".formatted(type, topology, count);
  }

  private void submit(
      String team, String name, int hours, String priority, String request, int exitCode)
      throws Exception {
    String job =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata:
          name: %s
          namespace: %s
          annotations: {sluice.io/simulated-run-time: PT%dH, sluice.io/simulated-exit-code: "%d"}
        spec: {queue: main, priorityClass: %s, timeLimit: %dh, command: [run], %s}
        """;
    owner
        .post("/v1/jobs", job.formatted(name, team, hours, exitCode, priority, hours + 1, request))
        .is(201);
  }

  Caller owner() {
    return owner;
  }

  /** Returns the id of a job that waits for slices, the first one that was submitted. */
  String waitingJob() throws Exception {
    List<String> waiting =
        owner
            .await("/v1/jobs?state=pending&limit=500", reply -> reply.text().contains("_IN_USE"))
            .each("/items", "id");
    return waiting.get(waiting.size() - 1);
  }

  /** Returns the id of the run of the pipeline. */
  String run() throws Exception {
    return owner.get("/v1/runs?limit=1").is(200).at("/items/0/id");
  }

  @Override
  public void close() throws SQLException {
    server.close();
    home.close();
  }
}
