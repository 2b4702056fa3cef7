// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs of two namespaces, {@code red} and {@code blue}, on one server that is root. */
@NeedsRoot
class IsolationIT {
  private static final int PROCESSES = 150;
  private static final long LOG_BYTES = 1 << 20;
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec: {executor: local, hosts: [{name: cpu, capacity: {cpu: 8, memory: 16Gi}}]}
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
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 8}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: red}
      spec: {clusterQueue: cpus}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: blue}
      spec: {clusterQueue: cpus}
      """;

  /** A job with something to hide: a file, a variable, an argument. */
  private static final String VICTIM =
      """
      echo secret > file
      chmod 644 file
      echo "at $$ $PWD $SLUICE_OUTPUT_FILE"
      while :; do sleep 0.1; done
      """;

  /** Arguments: a process of the victim, its directory, its output file, the data directory. */
  private static final String SPY =
      """
      try() { "$@" > /dev/null 2>&1 && echo "can $1 ${2#"$dir"}"; }
      pid=$1 dir=$2 output=$3 data=$4
      try cat "$dir/file"
      try ls "$dir"
      try touch "$dir/new"
      try cat "$output"
      try cat "/proc/$pid/environ"
      try cat "/proc/$pid/cmdline"
      try ls "/proc/$pid"
      try kill -0 "$pid"
      try cat "$data/token"
      try cat "$data/log/server.log"
      try cat "$data/executor/job-accounts"
      try ls "$data"
      try ls "$data/executor/attempts"
      try ls "$data/executor/logs"
      try ls "$data/postgres"
      try find "$data/postgres" -name PG_VERSION
      [ "$5" = kill ] && try kill -KILL "$pid"
      echo tried
      """;

  private static ServerHome home;
  private static StartedServer server;
  private static Path scripts;

  @BeforeAll
  static void start() throws Exception {
    home = ServerHome.of(FLEET);
    scripts = StartedServer.directory();
    server = start(home);
    server.caller().post("/v1/apply", QUOTA).is(200);
  }

  /** Starts a server with callers that does not trust them: it must be able to isolate. */
  private static StartedServer start(ServerHome where) throws Exception {
    Path tokens = where.data().resolveSibling("tokens");
    Files.writeString(
        tokens,
        """
        ruth submitter red - sha256:%s
        bea submitter blue - sha256:%s
        """
            .formatted("1".repeat(64), "2".repeat(64)));
    return where.start(
        "--tokens",
        tokens.toString(),
        "--job-processes",
        Integer.toString(PROCESSES),
        "--job-log-limit",
        LOG_BYTES / 1024 + "Ki");
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    home.close();
    StartedServer.delete(scripts);
  }

  @AfterEach
  void cancelJobs() throws Exception {
    for (String id : caller().get("/v1/jobs").each("/items", "id")) {
      caller().post("/v1/jobs/" + id + "/cancel", "");
      caller().await("/v1/jobs/" + id, reply -> reply.at("/status/state").matches("[SFC][A-Z]+ED"));
    }
  }

  private static Caller caller() throws IOException {
    return server.caller();
  }

  /** Submits a job that runs a script with arguments; returns its id. */
  private static String submit(String namespace, String name, String script, String... arguments)
      throws Exception {
    Path file = Files.writeString(scripts.resolve(name + ".sh"), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    StringBuilder command = new StringBuilder("sh, '" + file + "'");
    for (String argument : arguments) {
      command.append(", '").append(argument).append('\'');
    }
    return caller()
        .submit(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: %s, namespace: %s}
            spec: {queue: main, requests: {cpu: 1}, gracePeriod: 1s, command: [%s]}
            """
                .formatted(name, namespace, command));
  }

  private static String log(String id) throws Exception {
    return caller().get("/v1/jobs/" + id + "/logs").text();
  }

  private static String finish(String id) throws Exception {
    caller().awaitState(id, "SUCCEEDED");
    return log(id);
  }

  /** Returns the words after {@code at} that a job prints. */
  private static List<String> place(String id) throws Exception {
    caller().await("/v1/jobs/" + id + "/logs", reply -> reply.text().matches("(?s)at .*\\n.*"));
    return List.of(log(id).lines().findFirst().orElseThrow().substring(3).split(" ", -1));
  }

  private static String[] spyArguments(List<String> place, String last) {
    return new String[] {place.get(0), place.get(1), place.get(2), home.data().toString(), last};
  }

  @Test
  void aJobReachesNothingOfAnotherNamespaceAndNothingOfTheServer() throws Exception {
    String victim = submit("red", "victim", VICTIM, "argument");
    List<String> place = place(victim);

    assertThat(finish(submit("blue", "stranger", SPY, spyArguments(place, "kill"))))
        .isEqualTo("tried\n");
    assertThat(caller().get("/v1/jobs/" + victim).at("/status/state")).isEqualTo("RUNNING");
    assertThat(finish(submit("red", "mate", SPY, spyArguments(place, ""))))
        .as("the same of its own namespace, which shares the account")
        .contains(
            "can cat /file\n", "can touch /new\n", "/environ\n", "/cmdline\n", "can kill -0\n")
        .doesNotContain("token", "server.log", "job-accounts", "executor", "postgres");
  }

  @Test
  void aSetuidProgramGivesNoRights() throws Exception {
    Path program = Files.copy(Path.of("/usr/bin/id"), scripts.resolve("id-of-root"));
    Files.setAttribute(program, "unix:mode", 0_4755);
    Process control =
        new ProcessBuilder(
                "setpriv", "--reuid=65534", "--clear-groups", "--", program.toString(), "-u")
            .start();
    assumeTrue(
        new String(control.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
            .equals("0\n"),
        "setuid programs have no effect in " + scripts);

    String printed = finish(submit("red", "setuid", "id -u; '" + program + "' -u"));

    assertThat(printed.lines().distinct()).hasSize(1).doesNotContain("0");
  }

  @Test
  void aForkBombIsBoundedAndDelaysNobodyElse() throws Exception {
    String bomb =
        submit(
            "red",
            "bomb",
            """
            echo "at $(id -u)"
            (i=0; while [ $i -lt 500 ]; do sleep 300 & i=$((i + 1)); done; echo all forked)
            echo bounded
            exec sleep 300
            """);
    caller().await("/v1/jobs/" + bomb + "/logs", reply -> reply.text().contains("bounded\n"));
    String uid = place(bomb).get(0);

    assertThat(log(bomb)).doesNotContain("all forked");
    assertThat(processes(uid)).isBetween(PROCESSES / 2L, (long) PROCESSES);
    String other = submit("blue", "other", "for i in 1 2 3; do sh -c :; done; id -u");
    assertThat(finish(other)).isNotEqualTo(uid + "\n");
    caller().cancel(bomb);
    assertThat(processes(uid)).isZero();
    // Until the system's first process has taken note of their ends, they count for the bound of
    // the
    // account, and the next job of the namespace could not fork.
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    while (!statuses(uid).isEmpty()) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(50);
    }
  }

  /** Counts the processes of an account, without those that only wait for their parent. */
  private static long processes(String uid) throws IOException {
    return statuses(uid).stream().filter(status -> !status.contains("\tZ (")).count();
  }

  private static List<String> statuses(String uid) throws IOException {
    List<String> statuses = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : found) {
        String status = status(process);
        if (status.contains("\nUid:\t" + uid + "\t")) {
          statuses.add(status);
        }
      }
    }
    return statuses;
  }

  private static String status(Path process) {
    try {
      return Files.readString(process.resolve("status"));
    } catch (IOException ended) {
      return "";
    }
  }

  @Test
  void endlessOutputIsCutAndDelaysNobodyElse() throws Exception {
    String loud =
        submit(
            "red",
            "loud",
            """
            i=0
            while [ $i -lt 300 ]; do head -c 1000000 /dev/zero; i=$((i + 1)); done
            until [ "$(stat -L -c %s /proc/self/fd/2)" -lt 1000000 ]; do sleep 0.1; done
            echo the end
            """);
    String other = submit("blue", "quiet", "echo fine");

    assertThat(finish(other)).isEqualTo("fine\n");
    caller().awaitState(loud, "SUCCEEDED");
    caller().await("/v1/jobs/" + loud + "/logs", reply -> reply.text().length() <= LOG_BYTES);
    // The job may write between the cut and the note of it, so either line may be the first.
    assertThat(log(loud).lines())
        .anyMatch(line -> line.startsWith("[sluice: earlier output dropped"))
        .contains("the end");
    assertThat(bytes(home.data().resolve("executor/logs").resolve(loud))).isLessThan(2 * LOG_BYTES);
  }

  private static long bytes(Path folder) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  @Test
  void theNextServerAdoptsTheProcessesOfEachAccount() throws Exception {
    try (ServerHome own = ServerHome.of(FLEET)) {
      String red;
      String blue;
      String ofRed;
      String ofBlue;
      String wait =
          "echo $(id -u) $$; while [ ! -e '"
              + scripts
              + "/go' ]; do sleep 0.1; done;"
              + " echo $(id -u) $$";
      StartedServer shared = server;
      try (StartedServer first = start(own)) {
        server = first;
        caller().post("/v1/apply", QUOTA).is(200);
        red = submit("red", "red", wait);
        blue = submit("blue", "blue", wait);
        ofRed = firstLine(red);
        ofBlue = firstLine(blue);
        first.kill();
      } finally {
        server = shared;
      }
      try (StartedServer second = start(own)) {
        server = second;
        Files.createFile(scripts.resolve("go"));
        assertThat(finish(red).lines()).as("one process").containsExactly(ofRed, ofRed);
        assertThat(finish(blue).lines()).as("one process").containsExactly(ofBlue, ofBlue);
        String account = ofRed.substring(0, ofRed.indexOf(' '));
        assertThat(ofBlue).doesNotStartWith(account);
        assertThat(finish(submit("red", "again", "id -u"))).isEqualTo(account + "\n");
      } finally {
        server = shared;
      }
    }
  }

  private static String firstLine(String id) throws Exception {
    caller().await("/v1/jobs/" + id + "/logs", reply -> reply.text().endsWith("\n"));
    return log(id).lines().findFirst().orElseThrow();
  }
}
