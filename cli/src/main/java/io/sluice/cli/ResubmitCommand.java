// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.LifeState;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.restmodel.administration.NamedObject;
import io.sluice.restmodel.job.JobAcknowledgement;
import io.sluice.restmodel.job.JobStatus.JobIndices;
import io.sluice.restmodel.job.JobView;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Submits an ended job again, as a new job. */
@Command(
    name = "resubmit",
    description = "Submits an ended job again, as a new job with the same name.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class ResubmitCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the job. Default: all in which you may act.")
  @Nullable String namespace;

  @Option(
      names = "--failed",
      description = "Only the failed indices of an array; each keeps its number.")
  boolean failed;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description =
          "Idempotency key, at most 200 characters. A repeated submission with the same "
              + "key returns the same job.")
  @Nullable String key;

  @Parameters(paramLabel = "JOB", description = NameLookup.JOB_FORMS)
  String written;

  @Override
  public Integer call() {
    ServerClient client = server.client();
    NamedObject found =
        new NameLookup(client, namespace).find(NamedKind.JOB, written, NameLookup.Purpose.CHANGE);
    String id = NameLookup.id(found);
    String state = NameLookup.state(found);
    if (LifeState.live(state)) {
      throw new ClientException(
          "job %s (%s) has not ended: it is %s".formatted(found.name(), id, state));
    }
    JsonNode job = client.get("/v1/jobs/" + id);
    byte[] body = manifest(job, failed).toString().getBytes(StandardCharsets.UTF_8);
    JobAcknowledgement submitted =
        client.postIdempotent("/v1/jobs", body, key, JobAcknowledgement.class);
    System.out.printf("job/%s submitted (%s)%n", submitted.name(), submitted.id());
    return 0;
  }

  /**
   * Returns the manifest of a job to run again. It is read as a tree, so that it keeps the fields
   * that this build does not know.
   *
   * @param job as the server wrote it
   * @throws ClientException if only failed indices are wanted and there are none
   */
  static ObjectNode manifest(JsonNode job, boolean failed) {
    if (job.has("documents")) {
      if (failed) {
        throw new ClientException("--failed is for arrays; a job of Kubernetes is one index");
      }
      ObjectNode list = JsonNodeFactory.instance.objectNode();
      list.put("apiVersion", "v1").put("kind", "List").set("items", job.path("documents"));
      return list;
    }
    ObjectNode manifest = job.deepCopy();
    manifest.remove("id");
    manifest.remove("status");
    if (failed) {
      JobView read = JsonRecords.read(job, JobView.class, "/v1/jobs");
      onlyFailed(read, manifest.withObject("spec"));
    }
    return manifest;
  }

  private static void onlyFailed(JobView job, ObjectNode spec) {
    String name = job.metadata().name();
    JsonNode array = spec.path("array");
    if (!array.isObject()) {
      throw new ClientException("--failed is for arrays; job " + name + " is none");
    }
    JobIndices indices = job.status().indices();
    if (indices == null || indices.failedCount() == 0) {
      throw new ClientException("no index of job " + name + " failed");
    }
    int count = indices.failedCount();
    ObjectNode only = spec.putObject("array");
    IndexRanges which = IndexRanges.parse(indices.failed());
    if (array.has("indices")) {
      // Indices keep the numbers of the first submission through repeated ones.
      which = IndexRanges.parse(array.path("indices").asText()).at(which);
    }
    only.put("indices", which.toString());
    only.put("maxParallel", Math.min(count, array.path("maxParallel").asInt(count)));
  }
}
