// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backup of a server that takes jobs meanwhile, and a server that begins with it. */
class BackupIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int BEFORE = 60;
  private static final int SUBMITTED_MAX = 5_000;
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        hosts: [{name: cpu, capacity: {cpu: 8, memory: 16Gi}}]
      """;
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: cpus}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: cpus}
      """;
  private static final String JOB =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: %s, namespace: team}
      spec: {queue: main, requests: {cpu: %d}, gracePeriod: 1s, command: [sh, -c, '%s']}
      """;

  private final HttpClient client = HttpClient.newHttpClient();
  private Path directory = Path.of("");

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("sluice-backup-it");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    Files.writeString(directory.resolve("fleet.yaml"), FLEET);
  }

  @AfterEach
  void deleteDirectory() {
    Checkout.delete(directory);
  }

  /** A server on a data directory. */
  private final class Server implements AutoCloseable {
    private final Path data;
    private final Process process;

    Server(String name) throws Exception {
      data = directory.resolve(name);
      process =
          Checkout.process(
                  "./sluice",
                  "up",
                  "--port",
                  "0",
                  "--data",
                  data.toString(),
                  "--fleet",
                  directory.resolve("fleet.yaml").toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve(name + ".out").toFile())
              .start();
      await("the server " + name, () -> Files.exists(data.resolve("server.json")));
    }

    JsonNode ask(String method, String path, String body, int expected) throws Exception {
      String answer = answer(method, path, body, expected);
      return new ObjectMapper().readTree(answer.startsWith("{") ? answer : "{}");
    }

    String answer(String method, String path, String body, int expected) throws Exception {
      ObjectMapper json = new ObjectMapper();
      String url = json.readTree(data.resolve("server.json").toFile()).path("url").asText();
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(url + path))
                  .header(
                      "Authorization", "Bearer " + Files.readString(data.resolve("token")).strip())
                  .method(method, HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(expected);
      return answer.body();
    }

    JsonNode get(String path) throws Exception {
      return ask("GET", path, "", 200);
    }

    String submit(String name, int cpu, String script) throws Exception {
      return ask("POST", "/v1/jobs", JOB.formatted(name, cpu, script), 201).path("id").asText();
    }

    void awaitState(String job, String state) throws Exception {
      await(
          job + " " + state,
          () -> get("/v1/jobs/" + job).at("/status/state").asText().equals(state));
    }

    @Override
    public void close() {
      process.destroy();
      try {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException interrupted) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.call()) {
      assertThat(Instant.now()).as(what).isBefore(deadline);
      Thread.sleep(50);
    }
  }

  /** Runs a command; returns what it printed. */
  private String run(int expected, String... command) throws Exception {
    Path printed = Files.createTempFile(directory, "printed", "");
    Process process =
        Checkout.process(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    String text = Files.readString(printed);
    Files.delete(printed);
    assertThat(process.exitValue()).as(text).isEqualTo(expected);
    return text;
  }

  /** Submits jobs one after another until it is told to end. */
  private static final class Submitter extends Thread {
    private final Server server;
    final List<String> acknowledged = new CopyOnWriteArrayList<>();
    private volatile boolean ending;
    private volatile String failure = "";

    Submitter(Server server) {
      this.server = server;
    }

    @Override
    public void run() {
      try {
        while (!ending && acknowledged.size() < SUBMITTED_MAX) {
          acknowledged.add(server.submit("job-" + acknowledged.size(), 1, "true"));
        }
      } catch (Exception failed) {
        failure = failed.toString();
      } catch (AssertionError refused) {
        failure = refused.toString();
      }
    }

    void end() throws InterruptedException {
      ending = true;
      join();
      assertThat(failure).isEmpty();
    }
  }

  @Test
  void aServerThatBeginsWithABackupHasEveryJobAcknowledgedBeforeIt() throws Exception {
    Path file = directory.resolve("backup");
    try (Server server = new Server("data")) {
      server.ask("POST", "/v1/apply", QUOTA, 200);
      String running = server.submit("runs", 1, "echo pid $$; exec sleep 600");
      server.awaitState(running, "RUNNING");
      String pid = "/proc/" + pid(server, running);
      Submitter submitter = new Submitter(server);
      submitter.start();
      await("submissions", () -> submitter.acknowledged.size() >= BEFORE);
      List<String> before = new ArrayList<>(submitter.acknowledged);
      String said = run(0, "./sluice", "backup", file.toString(), "--data", server.data.toString());
      submitter.end();
      assertThat(said).contains("backup of", file.toString());
      assertThat(submitter.acknowledged).hasSizeGreaterThan(before.size());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      try (Stream<Path> beside = Files.list(directory)) {
        assertThat(beside).noneMatch(path -> path.toString().contains("unfinished"));
      }
      assertThat(run(1, "./sluice", "backup", file.toString(), "--data", server.data.toString()))
          .contains(file + " exists");

      assertThat(restore(0, file, "restored")).contains("job: ", "restored ");
      try (Server restored = new Server("restored")) {
        for (String id : before) {
          restored.get("/v1/jobs/" + id);
        }
        await(
            "the job that ran runs again",
            () -> restored.get("/v1/jobs/" + running + "/attempts").at("/items").size() == 2);
        assertThat(restored.get("/v1/jobs/" + running + "/attempts").findValuesAsText("cause"))
            .contains("SERVER_LOST");
        assertThat(run(0, "./sluice", "recheck", "--data", restored.data.toString()))
            .contains("came out the same");
        restored.ask("POST", "/v1/jobs/" + running + "/cancel", "", 202);
        restored.awaitState(running, "CANCELLED");
        restored.submit("after", 1, "true");
      }
      assertThat(Path.of(pid)).exists();
      server.awaitState(running, "RUNNING");
      server.ask("POST", "/v1/jobs/" + running + "/cancel", "", 202);
      server.awaitState(running, "CANCELLED");
    }
    assertRefusals(file);
  }

  private static String pid(Server server, String job) throws Exception {
    String[] found = {""};
    await(
        "the process id of " + job,
        () -> {
          String log = server.answer("GET", "/v1/jobs/" + job + "/logs", "", 200);
          found[0] = log.replaceAll("(?s).*pid ([0-9]+)\n.*", "$1");
          return found[0].matches("[0-9]+");
        });
    return found[0];
  }

  private String restore(int expected, Path file, String data) throws Exception {
    return run(
        expected,
        "./sluice",
        "restore",
        file.toString(),
        "--data",
        directory.resolve(data).toString());
  }

  private void assertRefusals(Path file) throws Exception {
    assertThat(restore(1, file, "data")).contains("is not empty");
    byte[] whole = Files.readAllBytes(file);
    Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(whole, whole.length - 1));
    assertThat(restore(1, cut, "none")).contains("cut is truncated or damaged");
    whole[whole.length / 2] ^= 1;
    Path damaged = Files.write(directory.resolve("damaged"), whole);
    assertThat(restore(1, damaged, "none")).contains("damaged is truncated or damaged");
    assertThat(restore(1, directory.resolve("fleet.yaml"), "none"))
        .contains("fleet.yaml is no backup of Sluice");
    assertThat(directory.resolve("none")).doesNotExist();
  }
}
