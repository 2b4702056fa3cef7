// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.Inputs;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.ClassDefaults;
import io.sluice.cli.output.PreviewPage;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.waiting.JobWaiting;
import io.sluice.restmodel.job.JobAcknowledgement;
import io.sluice.restmodel.job.JobAcknowledgements;
import io.sluice.restmodel.preview.ApplyAnswer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Submits a job, from options or from a file. */
@Command(
    name = "submit",
    description = "Submits a job. The job is durable when the command returns.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Example: a job of two whole slices",
      "  sluice submit -n team-a -q main --name train --priority high \\",
      "    --accelerator v6e:4x4 --slices 2 --time-limit 2h -- python train.py",
      "With --slices 1..4 the job is elastic: it needs one slice and uses up to four."
    })
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class SubmitCommand implements Callable<Integer> {
  private static final String RANGE = "..";

  @Mixin ServerOptions server;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "Manifest file or folder, used instead of the options below; - reads standard "
              + "input. Repeatable.")
  @Nullable List<String> files;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      defaultValue = "default",
      description = "Namespace of the job. Default: ${DEFAULT-VALUE}.")
  String namespace;

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      description = "LocalQueue in the namespace. Default: the queue of the compute class.")
  @Nullable String queue;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the job; need not be unique. Default: job.")
  @Nullable String name;

  @Option(
      names = "--compute-class",
      paramLabel = "NAME",
      description =
          "ComputeClass of the job: its rungs are tried in order, and its defaults apply.")
  @Nullable String computeClass;

  @Option(
      names = "--priority",
      paramLabel = "CLASS",
      description =
          "WorkloadPriorityClass of the job. Default: that of the compute class, else "
              + "priority 0.")
  @Nullable String priority;

  @Option(names = "--hold", description = "Submit the job on hold; release it with sluice release.")
  boolean hold;

  @Option(
      names = "--preemptible",
      description = "Allow eviction of the job for work of higher priority in any queue.")
  boolean preemptible;

  @Option(
      names = "--accelerator",
      paramLabel = "TYPE:TOPOLOGY",
      description = "Request whole slices of this accelerator type and topology, such as v6e:4x4.")
  @Nullable String accelerator;

  @Option(
      names = "--machine-type",
      paramLabel = "NAME",
      description =
          "Machine type of the slices. Required if several machine types offer the " + "topology.")
  @Nullable String machineType;

  @Option(
      names = "--slices",
      paramLabel = "N|MIN..MAX",
      description =
          "Number of slices, 1 to 10000. MIN..MAX makes the job elastic: it needs MIN "
              + "slices and uses up to MAX. Default: 1.")
  @Nullable String slices;

  @Option(
      names = "--request",
      paramLabel = "RESOURCE=AMOUNT",
      description = "Resource request of each pod, such as cpu=500m or memory=2Gi. Repeatable.")
  @Nullable Map<String, String> requests;

  @Option(
      names = {"-e", "--env"},
      paramLabel = "NAME=VALUE",
      description = "Environment variable of each process. Repeatable.")
  @Nullable Map<String, String> environment;

  @Option(
      names = {"-l", "--label"},
      paramLabel = "KEY=VALUE",
      description = "Label of the job. Repeatable.")
  @Nullable Map<String, String> labels;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      description =
          "Maximum run time of an attempt, such as 90s, 30m or 2h; at most 8760h. "
              + "Default: none.")
  @Nullable String timeLimit;

  @Option(
      names = "--progress-deadline",
      paramLabel = "TIME",
      description =
          "Maximum time without progress, 1s to 8760h. The attempt is then stalled, and "
              + "fails after the same time again. Default: none.")
  @Nullable String progressDeadline;

  @Option(
      names = "--start-deadline",
      paramLabel = "TIME",
      description =
          "Maximum time from admission to start, 1s to 8760h. Default: 5m, or as the "
              + "server is configured.")
  @Nullable String startDeadline;

  @Option(
      names = "--max-failures",
      paramLabel = "N",
      description =
          "Number of failed attempts that are retried, 0 to 1000, for each index. " + "Default: 0.")
  @Nullable Integer maxFailures;

  @Option(
      names = "--array",
      paramLabel = "COUNT",
      description = "Number of indices of an array, 1 to 1000000. Default: 1.")
  @Nullable Integer array;

  @Option(
      names = "--max-parallel",
      paramLabel = "N",
      description = "Maximum number of indices that run at once, 1 to COUNT. Default: COUNT.")
  @Nullable Integer maxParallel;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description =
          "Idempotency key, at most 200 characters. A repeated submission with the same "
              + "key returns the same job.")
  @Nullable String key;

  @Option(
      names = "--dry-run",
      description = "Check the job and show what would happen to it, without submitting it.")
  boolean dryRun;

  @Option(
      names = "--wait",
      description =
          "Wait for the end of all jobs, with a status line on a terminal. Exit code 1 if one did"
              + " not succeed.")
  boolean wait;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "Program and arguments that each process runs.")
  @Nullable List<String> command;

  @Override
  public Integer call() throws InterruptedException {
    ServerClient client = server.client();
    byte[] body =
        files == null ? manifest().toString().getBytes(StandardCharsets.UTF_8) : Inputs.read(files);
    if (dryRun) {
      ApplyAnswer preview =
          client.postIdempotent("/v1/jobs/bulk?dryRun=true", body, key, ApplyAnswer.class);
      new PreviewPage(Terminal.standard()).print(preview);
      return 0;
    }
    List<JobAcknowledgement> submitted =
        client.postIdempotent("/v1/jobs/bulk", body, key, JobAcknowledgements.class).jobs();
    for (JobAcknowledgement job : submitted) {
      System.out.printf(
          "job/%s %s (%s)%s%s%n",
          job.name(),
          job.replayed() ? "was submitted before" : "submitted",
          job.id(),
          ClassDefaults.words(job.defaults()),
          job.timeLimit() == null ? "" : ", time limit " + job.timeLimit() + " of its queue");
    }
    int exitCode = ExitCode.OK;
    if (wait) {
      JobWaiting waiting = new JobWaiting(client, Terminal.standard());
      for (JobAcknowledgement job : submitted) {
        exitCode = Math.max(exitCode, waiting.await(job.id(), JobWaiting.SUCCESS, null));
      }
    }
    return exitCode;
  }

  private void putAccelerator(ObjectNode spec) {
    if (accelerator != null) {
      int colon = accelerator.indexOf(':');
      if (colon < 0) {
        throw new ClientException(
            "--accelerator must be TYPE:TOPOLOGY such as v6e:4x4, it is " + accelerator);
      }
      ObjectNode wanted =
          spec.putObject("accelerator")
              .put("type", accelerator.substring(0, colon))
              .put("topology", accelerator.substring(colon + 1));
      putSlices(wanted);
      put(wanted, "machineType", machineType);
    } else if (slices != null || machineType != null) {
      throw new ClientException(
          (slices == null ? "--machine-type" : "--slices") + " needs --accelerator");
    }
  }

  private void putSlices(ObjectNode wanted) {
    if (slices == null) {
      return;
    }
    int dots = slices.indexOf(RANGE);
    if (dots < 0) {
      wanted.put("slices", number(slices));
    } else {
      wanted
          .putObject("slices")
          .put("min", number(slices.substring(0, dots)))
          .put("max", number(slices.substring(dots + RANGE.length())));
    }
  }

  private int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException notWhole) {
      throw new ClientException(
          "--slices must be a number such as 2, or a range such as 1..4, it is " + slices);
    }
  }

  /** Builds the manifest from the options; the server validates their values. */
  ObjectNode manifest() {
    if (queue == null && computeClass == null) {
      throw new ClientException(
          "name a queue with --queue, a class that has one with --compute-class, or manifests with"
              + " --filename");
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "sluice.io/v1").put("kind", "Job");
    ObjectNode metadata = json.putObject("metadata").put("namespace", namespace);
    put(metadata, "name", name);
    putAll(metadata, "labels", labels);
    ObjectNode spec = json.putObject("spec");
    put(spec, "queue", queue);
    put(spec, "computeClass", computeClass);
    put(spec, "priorityClass", priority);
    if (preemptible) {
      spec.put("preemptible", true);
    }
    if (hold) {
      spec.put("hold", true);
    }
    putAccelerator(spec);
    putAll(spec, "requests", requests);
    putAll(spec, "env", environment);
    put(spec, "timeLimit", timeLimit);
    put(spec, "progressDeadline", progressDeadline);
    put(spec, "startDeadline", startDeadline);
    if (maxFailures != null) {
      spec.put("maxFailures", maxFailures);
    }
    if (array != null) {
      ObjectNode indices = spec.putObject("array").put("count", array);
      if (maxParallel != null) {
        indices.put("maxParallel", maxParallel);
      }
    }
    if (command != null) {
      ArrayNode words = spec.putArray("command");
      command.forEach(words::add);
    }
    return json;
  }

  private static void put(ObjectNode json, String field, @Nullable String value) {
    if (value != null) {
      json.put(field, value);
    }
  }

  private static void putAll(ObjectNode json, String field, @Nullable Map<String, String> entries) {
    if (entries != null) {
      ObjectNode object = json.putObject(field);
      entries.forEach(object::put);
    }
  }
}
