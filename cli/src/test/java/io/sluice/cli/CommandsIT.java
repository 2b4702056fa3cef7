// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Sluice.Done;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Commands typed against a server as it is packaged, with their output going to files. */
class CommandsIT {
  private static final Pattern ID = Pattern.compile("\\(([0-9a-f-]{36})\\)");
  private static final String PIPELINE =
      """
      apiVersion: sluice.io/v1
      kind: Pipeline
      metadata: {name: %s, namespace: research}
      spec:
        schedules: [{name: daily, cron: "0 2 * * *"}]
        steps:
        - name: one
          job:
            spec:
              queue: main
              accelerator: {type: v6e, topology: 4x4}
              command: [sh, -c, "until [ -e %s ]; do sleep 0.1; done"]
      """;

  private static Path directory;
  private static Sluice sluice;
  private static Process server;

  @BeforeAll
  static void start() throws Exception {
    directory = Files.createTempDirectory("sluice-commands-").toRealPath();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    sluice = new Sluice(directory);
    server = up();
    // The server has only begun to start: the command waits for it.
    sluice.run("apply", "-f", "examples/two-teams.yaml").ends(0);
  }

  /** Starts the server, and returns when it has begun to start. */
  private static Process up() throws Exception {
    Process started =
        sluice.begin(
            directory.resolve("server.out"),
            directory.resolve("server.err"),
            "up",
            "--end-jobs",
            "--port",
            "0",
            "--data",
            sluice.data().toString(),
            "--fleet",
            "examples/fleet.yaml");
    while (!Files.exists(sluice.data().resolve("starting.json"))
        && !Files.exists(sluice.data().resolve("server.json"))) {
      assertThat(started.isAlive()).isTrue();
      Thread.sleep(20);
    }
    return started;
  }

  @AfterAll
  static void end() throws Exception {
    server.destroy();
    server.waitFor(60, TimeUnit.SECONDS);
    server.destroyForcibly();
    Checkout.delete(directory);
  }

  private static String held(String namespace, String name, String... more) throws Exception {
    String[] base = {
      "submit", "-n", namespace, "-q", "main", "--name", name, "--hold", "--accelerator", "v6e:4x4"
    };
    String[] all = Arrays.copyOf(base, base.length + more.length + 2);
    System.arraycopy(more, 0, all, base.length, more.length);
    all[all.length - 2] = "sleep";
    all[all.length - 1] = "60";
    Matcher id = ID.matcher(sluice.run(all).ends(0).out());
    assertThat(id.find()).isTrue();
    return id.group(1);
  }

  @Test
  void aTimeLimitIsChangedByName() throws Exception {
    held("research", "limited");
    assertThat(sluice.run("limit", "limited", "90m").ends(0).out())
        .isEqualTo("job/limited is being given time limit 90m\n");
    assertThat(sluice.run("limit", "limited", "soon").ends(4).err())
        .contains("timeLimit must be a duration", "soon");
    assertThat(sluice.run("limit", "--override", "limited", "none").ends(0).out())
        .contains("time limit none");
    sluice.run("cancel", "limited").ends(0);
  }

  @Test
  void anAmbiguousNameIsRefusedWithItsCandidatesAndOneOfThemIsNamed() throws Exception {
    String here = held("research", "twice");
    String there = held("training", "twice");
    for (String command : new String[] {"cancel", "hold", "release", "explain", "logs"}) {
      Done refused = sluice.run(command, "twice").ends(4);
      assertThat(refused.err())
          .contains("are named twice", "research/twice", "training/twice", here, there);
      assertThat(refused.out()).isEmpty();
    }
    sluice.run("prioritize", "--class", "high", "twice").ends(4);
    sluice.run("get", "job", "twice").ends(4);
    sluice.run("get", "events", "twice").ends(4);
    sluice.run("get", "attempts", "twice").ends(4);
    assertThat(sluice.run("get", "jobs", "-n", "training", "-o", "name").ends(0).out())
        .contains("job/" + there);

    assertThat(sluice.run("explain", "research/twice").ends(0).out()).contains("research/twice is");
    assertThat(sluice.run("get", "job/training/twice", "-o", "name").ends(0).out().strip())
        .isEqualTo("job/" + there);
    sluice.run("cancel", "-n", "research", "twice").ends(0);
    sluice.await(done -> done.out().contains("CANCELLED"), "get", "job", "job/" + here);
    // Only one of them is live now, so its name says enough for a change.
    sluice.run("release", "twice").ends(0);
    sluice.run("cancel", "job/" + there).ends(0);
    assertThat(sluice.run("cancel", "nobody").ends(4).err()).contains("no job nobody");
  }

  @Test
  void wrongUsageIsToldInThreeLines() throws Exception {
    for (String[] wrong :
        new String[][] {
          {"get", "jobs", "--stat", "PENDING"},
          {"get", "unicorns"},
          {"get"},
          {"get", "cq", "--held"},
          {"get", "jobs", "--limit", "0"},
          {"get", "jobs", "-l", "model"},
          {"cancel"},
          {"capacity", "gold"},
          {"conjure"}
        }) {
      Done done = sluice.run(wrong).ends(2);
      assertThat(done.out()).isEmpty();
      assertThat(done.err().lines()).as(done.err()).hasSize(3);
      assertThat(done.err()).startsWith("sluice: ").contains("--help");
    }
  }

  @Test
  void labelsAreJoinedByCommas() throws Exception {
    String both = held("research", "labelled", "-l", "a=x", "-l", "b=y");
    held("research", "labelled", "-l", "a=x");
    assertThat(sluice.run("get", "jobs", "-l", "a=x,b=y", "-o", "name").ends(0).out().lines())
        .containsExactly("job/" + both);
    assertThat(sluice.run("get", "jobs", "-l", "a=x", "-o", "name").ends(0).out().lines())
        .hasSize(2);
  }

  @Test
  void runsAreShownByNameAndWatchedThroughAPipe() throws Exception {
    Path go = directory.resolve("go");
    String manifest = PIPELINE.formatted("watched", go);
    sluice.run("apply", "-f", sluice.file("watched.yaml", manifest)).ends(0);
    sluice.run("run", "start", "watched").ends(0);
    Path out = directory.resolve("watch.out");
    Process watch =
        sluice.begin(out, directory.resolve("watch.err"), "run", "show", "--watch", "watched-1");
    while (watch.isAlive() && !Files.readString(out).contains("step one RUNNING")) {
      Thread.sleep(50);
    }
    Files.createFile(go);
    assertThat(watch.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(out))
        .contains("run watched-1 RUNNING", "step one RUNNING", "watched-1 is SUCCEEDED");
    assertThat(sluice.run("get", "run", "watched-1").ends(0).out()).contains("SUCCEEDED");
    assertThat(sluice.run("get", "runs", "watched").ends(0).out()).contains("watched-1");
    assertThat(sluice.run("get", "run", "watched-7").ends(4).err()).contains("no run watched-7");
    assertThat(sluice.run("get", "runs", "unheard-of").ends(4).err()).contains("unheard-of");
    assertThat(sluice.run("delete", "pipeline", "watched", "--dry-run").ends(0).out())
        .contains("pipeline/research/watched would be deleted");
    sluice.run("schedule", "show", "watched/daily").ends(0);
    sluice.run("schedule", "pause", "research/watched/daily").ends(0);
    sluice.run("get", "pipeline", "watched").ends(0);
  }

  private static Process begin(Path out, String... arguments) throws Exception {
    return sluice.begin(out, directory.resolve(out.getFileName() + ".err"), arguments);
  }

  @Test
  void waitsAndWatchesContinueAtARestartedServer() throws Exception {
    String gone = held("research", "gone");
    sluice.run("cancel", "job/" + gone).ends(0);
    String id = held("research", "outlasting");
    Path watched = directory.resolve("jobs.out");
    Process watch = begin(watched, "get", "jobs", "-n", "research", "-w");
    String states = "--for=state=CANCELLED";
    Path waited = directory.resolve("wait.out");
    Process wait = begin(waited, "wait", "job/" + gone, "job/" + id, states);
    // Both must have reached the server before it ends; a wait that begins without one fails.
    while (!Files.readString(watched).contains("outlasting")
        || !Files.readString(waited).contains("gone CANCELLED")) {
      assertThat(watch.isAlive() && wait.isAlive()).isTrue();
      Thread.sleep(50);
    }
    server.destroy();
    assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
    server = up(); // on another port
    sluice.run("cancel", "job/" + id).ends(0);
    assertThat(wait.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(wait.exitValue()).isZero();
    while (!Files.readString(watched).contains("CANCELLED")) {
      assertThat(watch.isAlive()).isTrue();
      Thread.sleep(50);
    }
    watch.destroy();
    assertThat(Files.readString(waited)).contains("outlasting CANCELLED");
    assertThat(Files.readString(watched).lines().filter(line -> line.contains("NAMESPACE")))
        .hasSize(1);
  }

  @Test
  void aDryRunSubmitsAndDeletesNothing() throws Exception {
    assertThat(
            sluice
                .run(
                    "submit",
                    "-n",
                    "research",
                    "-q",
                    "main",
                    "--name",
                    "tried",
                    "--dry-run",
                    "--accelerator",
                    "v6e:4x4",
                    "true")
                .ends(0)
                .out())
        .contains("job/research/tried would be created", "Nothing was changed.");
    assertThat(sluice.run("get", "job", "tried").ends(4).err()).contains("no job tried");
    assertThat(sluice.run("delete", "wpc", "low", "--dry-run").ends(0).out())
        .contains("workloadpriorityclass/low would be deleted");
    sluice.run("get", "wpc", "low").ends(0);
  }

  @Test
  void aDryRunTellsWhenTheJobWouldStart() throws Exception {
    String manifest =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: research}
        spec:
          queue: main
          accelerator: {type: v6e, topology: 4x4, slices: 4}
          command: [sleep, "60"]
          timeLimit: 1h
          gracePeriod: 1s
        """;
    sluice.run("submit", "-f", sluice.file("fills.yaml", manifest.formatted("fills"))).ends(0);
    sluice.run("wait", "fills", "--for=state=RUNNING", "--timeout", "1m").ends(0);
    String out =
        sluice
            .run("submit", "--dry-run", "-f", sluice.file("next.yaml", manifest.formatted("next")))
            .ends(0)
            .out();
    assertThat(out)
        .contains("job/research/next would be created, then PENDING")
        .containsPattern("Starts, if nothing arrives .*:\n.*BEFORE.*AFTER.*\n.*research/next")
        .contains("Nothing was changed.");
    sluice.run("cancel", "fills").ends(0);
    sluice.run("wait", "fills", "--for=state=CANCELLED", "--timeout", "1m").ends(0);
  }

  @Test
  void administratorsSeeTheAuditAndDirectTheVirtualFleet() throws Exception {
    assertThat(sluice.run("capacity").ends(0).out()).contains("OUT OF STOCK", "spot", "on-demand");
    assertThat(sluice.run("capacity", "spot", "--out-of-stock", "true").ends(0).out())
        .contains("true");
    sluice.run("host", "fail", "host/v6e-3-0").ends(0);
    sluice.await(done -> done.out().contains("failed"), "get", "host", "v6e-3-0");
    sluice.run("host", "return", "v6e-3-0").ends(0);
    sluice.run("slice", "reclaim", "slice/v6e-2").ends(0);
    sluice.await(done -> done.out().contains("absent"), "get", "slice", "v6e-2");
    sluice.run("slice", "return", "v6e-2").ends(0);
    assertThat(sluice.run("slice", "reclaim", "v6e-99").ends(4).err()).contains("v6e-99");
    assertThat(sluice.run("audit", "--kind", "Slice").ends(0).out())
        .contains("reclaim", "Slice/v6e-2");
    assertThat(sluice.run("audit", "--limit", "1").ends(0).err()).contains("--limit");
  }

  @Test
  void aTokenIsCreatedUsedRotatedAndRevoked() throws Exception {
    Done created =
        sluice
            .run(
                "token",
                "create",
                "tess",
                "--role",
                "submitter",
                "-n",
                "research,vision",
                "--expires",
                "30d")
            .ends(0);
    assertThat(created.out()).matches("sluice_[A-Za-z0-9_-]{43}\n");
    assertThat(created.err()).contains("token/tess created: submitter", "research,vision");
    String file = sluice.file("tess.token", created.out());
    sluice.run("get", "jobs", "--token-file", file).ends(0);
    sluice.run("token", "list", "--token-file", file).ends(4);

    Done rotated = sluice.run("token", "rotate", "tess", "--grace", "1h").ends(0);
    assertThat(rotated.out()).startsWith("sluice_").isNotEqualTo(created.out());
    String next = sluice.file("tess-2.token", rotated.out());
    sluice.run("get", "jobs", "--token-file", file).ends(0);
    sluice.run("get", "jobs", "--token-file", next).ends(0);

    assertThat(sluice.run("token", "list").ends(0).out())
        .containsPattern("tess +submitter +research,vision +valid ");
    assertThat(sluice.run("token", "revoke", "tess").ends(0).out())
        .contains("token/tess is revoked");
    assertThat(sluice.run("get", "jobs", "--token-file", next).ends(4).err()).contains("not known");
    assertThat(sluice.run("token", "revoke", "tess").ends(4).err()).contains("no token tess");
    assertThat(sluice.run("token", "create", "tom", "--role", "viewer", "--expires", "soon").err())
        .contains("--expires must be a time such as");
  }

  @Test
  void stoppedQueuesAndQuotaBeyondTheFleetAreShown() throws Exception {
    String manifest =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: stopped}
        spec:
          stopPolicy: Hold
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [google.com/tpu]
            flavors: [{name: v6e, resources: [{name: google.com/tpu, nominalQuota: 1000}]}]
        """;
    Done applied = sluice.run("apply", "-f", sluice.file("stopped.yaml", manifest)).ends(0);
    assertThat(applied.err())
        .contains("warning: nominal quota of google.com/tpu in flavor v6e is 1064", "has 64");
    assertThat(sluice.run("get", "cq").ends(0).out())
        .contains("STOP POLICY", "Hold", "warning: nominal quota of google.com/tpu");
    assertThat(sluice.run("delete", "cq/stopped").ends(0).out())
        .contains("clusterqueue/stopped deleted");
    assertThat(sluice.run("get", "cq").ends(0).out()).doesNotContain("warning");
    assertThat(sluice.run("get", "lq", "main", "-n", "research").ends(0).out())
        .contains("STOP POLICY");
  }

  @Test
  void aServerThatIsDownIsNamedByItsDirectory() throws Exception {
    Path elsewhere = directory.resolve("elsewhere");
    assertThat(sluice.run("get", "jobs", "--data", elsewhere.toString()).ends(3).err())
        .contains("no server runs on the data directory " + elsewhere, "./sluice up --data");
    assertThat(sluice.run("get", "jobs", "--server", "http://127.0.0.1:1").ends(3).err())
        .contains("no server answers at http://127.0.0.1:1");
  }

  @Test
  void failedIndicesAreCountedFoundAndSubmittedAgain() throws Exception {
    sluice
        .run(
            "submit",
            "-n",
            "research",
            "-q",
            "main",
            "--name",
            "array",
            "--array",
            "4",
            "--accelerator",
            "v6e:4x4",
            "--",
            "sh",
            "-c",
            "echo index $SLUICE_INDEX $JOB_COMPLETION_INDEX; [ $SLUICE_INDEX -lt 2 ]")
        .ends(0);
    sluice.await(done -> done.out().contains("FAILED 4/4, 2 failed"), "get", "job", "array");
    assertThat(sluice.run("get", "attempts", "array", "--state", "failed").ends(0).out().lines())
        .hasSize(3);
    assertThat(sluice.run("get", "attempts", "array", "--index", "3").ends(0).out().lines())
        .hasSize(2);
    assertThat(sluice.run("get", "attempts", "array", "--limit", "3").ends(0).err())
        .contains("only the first 3");

    sluice.run("resubmit", "array", "--failed").ends(0);
    sluice.await(done -> done.out().contains("FAILED 2/2, 2 failed"), "get", "job", "array");
    assertThat(sluice.run("logs", "array", "--index", "1").ends(0).out()).contains("index 3 3");
    sluice.run("resubmit", "array").ends(0);
  }

  @Test
  void theHistoryIsWrittenAsATraceThatIsReplayed() throws Exception {
    String[] submit = {
      "submit",
      "-n",
      "training",
      "-q",
      "main",
      "--name",
      "past",
      "--array",
      "2",
      "--time-limit",
      "1m",
      "--accelerator",
      "v6e:4x4",
      "--wait",
      "--",
      "sleep",
      "0.2"
    };
    sluice.run(submit).ends(0);
    for (String file : new String[] {"past.csv", "past.csv.gz"}) {
      String trace = directory.resolve(file).toString();
      assertThat(sluice.run("export-trace", trace, "-n", "training").ends(0).out())
          .isEqualTo(
              trace + ": 2 lines of 1 ended jobs, up to 16 devices of google.com/tpu each\n");
      assertThat(
              sluice
                  .run("replay", trace, "--devices", "16", "--policy", "easy", "--teams", "quota")
                  .ends(0)
                  .out())
          .contains("2 jobs on 16 devices", "2 in the trace");
    }
    assertThat(Files.readAllLines(directory.resolve("past.csv")))
        .first()
        .isEqualTo("id,submit_s,duration_s,devices,team,estimate_s");
    assertThat(Files.readAllLines(directory.resolve("past.csv")))
        .element(2)
        .asString()
        .matches("2,\\d{10},1,16,training,60");
    assertThat(
            sluice
                .run("export-trace", "none.csv", "-n", "training", "--resource", "example.com/fpga")
                .ends(1)
                .err())
        .contains("of 1 ended jobs, none used example.com/fpga");
  }

  @Test
  void aSimulationShowsStartsAndChangesNothing() throws Exception {
    Path file = directory.resolve("simulated.yaml");
    Files.writeString(
        file,
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: what-if, namespace: research}
        spec:
          queue: main
          accelerator: {type: v6e, topology: 4x4}
          timeLimit: 1h
          command: ["true"]
        """);
    String shown = sluice.run("simulate", "-f", file.toString(), "--horizon", "48h").ends(0).out();
    assertThat(shown)
        .contains("JOB", "BEFORE", "AFTER", "research/what-if", "Nothing was changed.")
        .contains("+ ");
    assertThat(sluice.run("simulate", "-f", file.toString(), "-o", "json").ends(0).out())
        .contains("\"effect\"", "\"starts\"");
    assertThat(sluice.run("get", "jobs", "-n", "research").ends(0).out()).doesNotContain("what-if");
    assertThat(sluice.run("simulate").ends(2).err()).contains("nothing is to be simulated");
    assertThat(sluice.run("simulate", "--remove-slice", "nothing").ends(4).err())
        .contains("no slice nothing");
  }
}
