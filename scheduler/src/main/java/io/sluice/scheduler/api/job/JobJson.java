// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.scheduler.api.explanation.ExplanationJson;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.job.CostReader;
import io.sluice.scheduler.store.job.StoredJob;
import io.sluice.scheduler.submission.FilledJob;
import org.jspecify.annotations.Nullable;

/** A job as JSON for callers: its manifest, and a status. */
final class JobJson {
  private JobJson() {}

  /** The manifest; for a job of Kubernetes the fields that all jobs have, and its documents. */
  private static ObjectNode written(StoredJob job) {
    ObjectNode manifest = (ObjectNode) JournalJson.tree(job.manifest());
    if (!manifest.path("kind").asText().equals("List")) {
      return manifest;
    }
    JobSpec spec = ManifestReader.readStoredJob(job.manifest()).job();
    ObjectNode json = manifest.objectNode();
    json.put("apiVersion", "sluice.io/v1").put("kind", "Job");
    ObjectNode metadata = json.putObject("metadata");
    metadata.put("name", spec.meta().name()).put("namespace", spec.meta().namespace());
    spec.meta().labels().entries().forEach(metadata.withObject("labels")::put);
    ObjectNode own = json.putObject("spec").put("queue", spec.queue());
    if (spec.priority().className() != null) {
      own.put("priorityClass", spec.priority().className());
    }
    json.set("documents", manifest.path("items"));
    return json;
  }

  /**
   * The job with the reason of its state, if there is one.
   *
   * @param waitsFor the reason of its executor why it does not start, if any
   */
  static ObjectNode of(
      StoredJob job, @Nullable Explanation explanation, @Nullable StartWait waitsFor) {
    ObjectNode json = written(job);
    json.put("id", job.id().toString());
    if (job.queue().changedClass() != null) {
      json.withObject("spec").put("priorityClass", job.queue().changedClass());
    }
    ObjectNode status = json.putObject("status");
    status.put("state", job.state().name());
    putReason(job, explanation, waitsFor, status);
    if (job.queue().hold() != null) {
      ExplanationJson.write(job.queue().hold(), status);
    }
    if (job.queue().headStart() != null) {
      ExplanationJson.write(job.queue().headStart(), status);
    }
    status.put("clusterQueue", job.queue().clusterQueue());
    status.put("priority", job.queue().priority().value());
    status.put("preemptible", job.queue().priority().preemptible());
    status.put("createdAt", job.origin().createdAt().toString());
    if (!job.origin().submittedBy().isEmpty()) {
      status.put("submittedBy", job.origin().submittedBy());
    }
    if (job.finishedAt() != null) {
      status.put("finishedAt", job.finishedAt().toString());
    }
    StoredJob.Indices indices = job.indices();
    status.put("attempts", indices.attempts());
    putProgress(indices.progress(), status);
    if (indices.checkpoint() != null) {
      status.put("checkpoint", indices.checkpoint());
    }
    if (indices.count() > 1) {
      ObjectNode array = status.putObject("indices");
      array.put("count", indices.count());
      array.put("pending", job.state().terminal() ? 0 : indices.pending());
      array.put("live", indices.live());
      array.put("ended", indices.succeeded().size() + indices.failed().size());
      array.put("failedCount", indices.failed().size());
      array.put("succeeded", indices.succeeded().toString());
      array.put("failed", indices.failed().toString());
    }
    return json;
  }

  private static void putReason(
      StoredJob job,
      @Nullable Explanation explanation,
      @Nullable StartWait waitsFor,
      ObjectNode status) {
    if (explanation != null) {
      status.put("blocker", explanation.blocker().name());
      status.put("reason", ExplanationSentence.of(explanation));
      ExplanationJson.rungs(explanation, status);
    } else if (!job.message().isEmpty()) {
      status.put("reason", job.message());
    } else if (job.state() == JobState.SUBMITTED) {
      status.put("reason", "accepted; enters its queue in the next scheduling round");
    }
    if (waitsFor != null) {
      ExplanationJson.write(waitsFor, status);
    }
  }

  /** Adds the defaults that the compute class supplied, if any. */
  static void putDefaults(FilledJob job, ObjectNode json) {
    if (!job.defaults().equals(ClassDefaults.NONE)) {
      ObjectNode defaults = json.putObject("defaults");
      defaults.put("computeClass", job.spec().computeClass());
      defaults.setAll(ManifestWriter.toJson(job.defaults()));
    }
  }

  /** Adds the cost of the job so far, if it is known. */
  static ObjectNode withCost(ObjectNode json, CostReader.@Nullable Cost cost) {
    if (cost != null) {
      ObjectNode one = json.withObject("status").putObject("cost");
      one.put("estimated", cost.estimated().toPlainString());
      one.put("chipHours", cost.chipHours().toPlainString());
      if (cost.unpricedChipHours().signum() > 0) {
        one.put("unpricedChipHours", cost.unpricedChipHours().toPlainString());
      }
    }
    return json;
  }

  private static void putProgress(AttemptRecord.Progress progress, ObjectNode status) {
    if (progress.at() != null) {
      status.put("progressAt", progress.at().toString());
      status.put("progress", progress.text());
    }
    if (progress.stalledSince() != null) {
      status.put("stalledSince", progress.stalledSince().toString());
    }
  }
}
