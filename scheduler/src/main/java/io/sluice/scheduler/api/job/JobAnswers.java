// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.job.FilledDefaults;
import io.sluice.restmodel.job.JobAcknowledgement;
import io.sluice.restmodel.job.JobEvent;
import io.sluice.restmodel.job.JobStatus;
import io.sluice.restmodel.job.JobStatus.JobCost;
import io.sluice.restmodel.job.JobStatus.JobIndices;
import io.sluice.restmodel.job.JobView;
import io.sluice.restmodel.job.JobView.JobMetadata;
import io.sluice.scheduler.api.EnvironmentMask;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.api.explanation.EventSentence;
import io.sluice.scheduler.api.explanation.ExplanationAnswers;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.job.CostReader;
import io.sluice.scheduler.store.job.StoredJob;
import io.sluice.scheduler.store.journal.HistoryReader.StoredEvent;
import io.sluice.scheduler.submission.Acknowledgement;
import io.sluice.scheduler.submission.FilledJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts jobs, their events and acknowledgements for answers. */
final class JobAnswers {
  private static final String PRIORITY_CLASS = "priorityClass";
  private static final String TIME_LIMIT = "timeLimit";

  private JobAnswers() {}

  /**
   * The job with the reason of its state, if there is one.
   *
   * @param waitsFor the reason of its executor why it does not start, if any
   * @param expected when it is expected to start, if that is known
   * @param masked whether to hide the values of its environment variables
   */
  static JobView of(
      StoredJob job,
      @Nullable Explanation explanation,
      @Nullable StartWait waitsFor,
      @Nullable JobExpectedStart expected,
      boolean masked) {
    Map<String, Object> stored = JournalJson.fields(job.manifest());
    Map<String, Object> manifest = masked ? EnvironmentMask.of(stored) : stored;
    JobStatus status = status(job, explanation, waitsFor, expected);
    if ("List".equals(manifest.get("kind"))) {
      return ofKubernetes(job, objects(manifest.get("items")), status);
    }
    Map<String, Object> metadata = object(manifest.get("metadata"));
    return new JobView(
        String.valueOf(manifest.get("apiVersion")),
        String.valueOf(manifest.get("kind")),
        new JobMetadata(
            job.origin().name(),
            job.origin().namespace(),
            texts(metadata.get("labels")),
            texts(metadata.get("annotations"))),
        withChanges(object(manifest.get("spec")), job),
        null,
        job.id().toString(),
        status);
  }

  /** A job of Kubernetes: the fields that all jobs have, and its documents. */
  private static JobView ofKubernetes(
      StoredJob job, List<Map<String, Object>> documents, JobStatus status) {
    JobSpec spec = ManifestReader.readStoredJob(job.manifest()).job();
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("queue", spec.queue());
    if (spec.priority().className() != null) {
      own.put(PRIORITY_CLASS, spec.priority().className());
    }
    Map<String, String> labels = spec.meta().labels().entries();
    return new JobView(
        "sluice.io/v1",
        "Job",
        new JobMetadata(
            spec.meta().name(), spec.meta().namespace(), labels.isEmpty() ? null : labels, null),
        withChanges(own, job),
        documents,
        job.id().toString(),
        status);
  }

  /** The spec with the priority class and time limit that the job was given later, if any. */
  private static Map<String, Object> withChanges(Map<String, Object> spec, StoredJob job) {
    if (job.queue().changedClass() != null) {
      spec.put(PRIORITY_CLASS, job.queue().changedClass());
    }
    LimitChange change = job.queue().changedLimit();
    if (change != null) {
      Duration limit = change.timeLimit();
      if (limit == null) {
        spec.remove(TIME_LIMIT);
      } else {
        spec.put(TIME_LIMIT, DurationNotation.format(limit));
      }
    }
    return spec;
  }

  /** A copy of the fields of a JSON object; empty if the value is none. */
  private static Map<String, Object> object(@Nullable Object value) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, field) -> fields.put(String.valueOf(name), field));
    }
    return fields;
  }

  private static List<Map<String, Object>> objects(@Nullable Object value) {
    List<Map<String, Object>> objects = new ArrayList<>();
    if (value instanceof List<?> list) {
      list.forEach(entry -> objects.add(object(entry)));
    }
    return objects;
  }

  /** The entries of a map of texts; null if the value is none. */
  private static @Nullable Map<String, String> texts(@Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return null;
    }
    Map<String, String> texts = new LinkedHashMap<>();
    map.forEach((name, text) -> texts.put(String.valueOf(name), String.valueOf(text)));
    return texts;
  }

  private static JobStatus status(
      StoredJob job,
      @Nullable Explanation explanation,
      @Nullable StartWait waitsFor,
      @Nullable JobExpectedStart expected) {
    StoredJob.Indices indices = job.indices();
    AttemptRecord.Progress progress = indices.progress();
    StartBlocker start = waitsFor == null ? null : waitsFor.blocker();
    return new JobStatus(
        job.state().name(),
        start == null ? blocker(explanation) : start.name(),
        start == null ? null : start.cure().name(),
        waitsFor == null ? reason(job, explanation) : waitsFor.sentence(),
        explanation == null ? null : ExplanationAnswers.rungs(explanation),
        ExplanationAnswers.hold(job.queue().hold()),
        ExplanationAnswers.headStart(job.queue().headStart()),
        ExplanationAnswers.plannedStart(job.queue().planned()),
        expected,
        job.queue().clusterQueue(),
        job.queue().priority().value(),
        job.queue().priority().preemptible(),
        job.origin().createdAt(),
        Texts.unlessEmpty(job.origin().submittedBy()),
        job.finishedAt(),
        indices.attempts(),
        progress.at(),
        progress.at() == null ? null : progress.text(),
        progress.stalledSince(),
        indices.checkpoint(),
        indices.count() > 1 ? array(job) : null,
        null,
        null);
  }

  private static @Nullable String blocker(@Nullable Explanation explanation) {
    return explanation == null ? null : explanation.blocker().name();
  }

  private static @Nullable String reason(StoredJob job, @Nullable Explanation explanation) {
    if (explanation != null) {
      return ExplanationSentence.of(explanation);
    }
    if (!job.message().isEmpty()) {
      return job.message();
    }
    return job.state() == JobState.SUBMITTED
        ? "accepted; enters its queue in the next scheduling round"
        : null;
  }

  private static JobIndices array(StoredJob job) {
    StoredJob.Indices indices = job.indices();
    return new JobIndices(
        indices.count(),
        job.state().terminal() ? 0 : indices.pending(),
        indices.live(),
        indices.succeeded().size() + indices.failed().size(),
        indices.failed().size(),
        indices.succeeded().toString(),
        indices.failed().toString());
  }

  /** Whether the cost of a job may be known: only rungs of compute classes have prices. */
  static boolean priced(JobView job) {
    return job.spec().containsKey("computeClass");
  }

  /** The cost of a job so far; null if it is not known. */
  static @Nullable JobCost cost(CostReader.@Nullable Cost cost) {
    return cost == null
        ? null
        : new JobCost(
            cost.estimated().toPlainString(),
            cost.chipHours().toPlainString(),
            cost.unpricedChipHours().signum() > 0
                ? cost.unpricedChipHours().toPlainString()
                : null);
  }

  static JobAcknowledgement acknowledgement(JobSpec job, Acknowledgement acknowledged) {
    Duration limit = acknowledged.filled().timeLimit();
    return new JobAcknowledgement(
        acknowledged.job().toString(),
        job.meta().namespace(),
        job.meta().name(),
        acknowledged.replayed(),
        defaults(acknowledged.filled()),
        limit == null ? null : DurationNotation.format(limit));
  }

  /** The defaults that the compute class supplied; null if it supplied none. */
  static @Nullable FilledDefaults defaults(FilledJob job) {
    ClassDefaults defaults = job.defaults();
    String computeClass = job.spec().computeClass();
    if (computeClass == null || defaults.equals(ClassDefaults.NONE)) {
      return null;
    }
    Object selectors = JournalJson.fields(ManifestWriter.toJson(defaults)).get("selectors");
    return new FilledDefaults(
        computeClass,
        defaults.queue(),
        defaults.priorityClass(),
        selectors == null ? null : objects(selectors));
  }

  static JobEvent event(StoredEvent stored) {
    return new JobEvent(
        stored.sequence(),
        stored.position(),
        stored.at(),
        stored.kind(),
        stored.event() == null ? "queued" : EventSentence.of(stored.event()),
        JournalJson.fields(stored.body()));
  }
}
