// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.pipeline.PipelineReader;
import io.sluice.manifests.pipeline.ScheduleReader;
import io.sluice.manifests.template.Template;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.RunTerms;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.pipeline.Schedule.Concurrency;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.queuemodel.pipeline.StepRetry;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/**
 * Reads Kubernetes' CronJob as a pipeline of one step with one schedule. What it says of how many
 * of its Jobs are kept is passed over: runs are kept for a time, not by number.
 */
final class CronJobReader {
  static final String VERSION = "batch/v1";
  static final String STEP = "job";
  static final String SCHEDULE = "schedule";

  /** What Kubernetes' own controller writes on the Jobs that it makes. */
  private static final String SCHEDULED_AT = "batch.kubernetes.io/cronjob-scheduled-timestamp";

  private static final List<Concurrency> CONCURRENCIES =
      List.of(Concurrency.ALLOW, Concurrency.FORBID, Concurrency.REPLACE);

  private CronJobReader() {}

  /** The pipeline, of use only if the cursor's violations are empty then. */
  static Pipeline read(ObjectCursor top) {
    ObjectMeta meta = PipelineReader.meta(top);
    ObjectCursor spec = top.objectOrEmpty("spec", "a CronJob's spec");
    spec.ignore("successfulJobsHistoryLimit", "failedJobsHistoryLimit");
    Schedule schedule = schedule(spec);
    String job = job(spec, meta);
    spec.end();
    Step step = new Step(STEP, List.of(), null, StepRetry.NONE, null, null, job);
    return new Pipeline(meta, List.of(), List.of(step), null, RunTerms.DEFAULT, List.of(schedule));
  }

  private static Schedule schedule(ObjectCursor spec) {
    String cron = spec.requiredText(SCHEDULE, ScheduleReader::requireCron);
    Concurrency concurrency =
        spec.word("concurrencyPolicy", CONCURRENCIES, Concurrency::word, Concurrency.ALLOW);
    Integer startingDeadline =
        spec.whole("startingDeadlineSeconds", 1, (int) PipelineReader.LIMIT_MAX.toSeconds());
    Schedule.Policies usual = Schedule.Policies.DEFAULT;
    return new Schedule(
        SCHEDULE,
        cron,
        ScheduleReader.zone(spec),
        Schedule.Span.UNBOUNDED,
        Duration.ZERO,
        new Schedule.Policies(
            concurrency,
            usual.misfire(),
            usual.runsMax(),
            startingDeadline == null ? null : Duration.ofSeconds(startingDeadline)),
        Boolean.TRUE.equals(spec.flag("suspend")),
        new TreeMap<>());
  }

  /** The template of the step's job: a Job of Kubernetes, read once to see that it can be. */
  private static String job(ObjectCursor spec, ObjectMeta meta) {
    ObjectCursor template = spec.object("jobTemplate", "a CronJob's jobTemplate");
    if (template == null) {
      spec.require("jobTemplate");
      return "{}";
    }
    template.require("spec");
    ObjectCursor given = template.object("metadata", "metadata");
    if (given != null) {
      given.object("annotations", "annotations");
    }
    JsonNode written = spec.raw("jobTemplate");
    if (!(written instanceof ObjectNode fields) || !template.violations().isEmpty()) {
      return "{}";
    }
    ObjectNode job = fields.deepCopy().put("apiVersion", VERSION).put("kind", Schema.JOB);
    ObjectNode metadata = job.withObjectProperty("metadata");
    metadata.remove(List.of("name", "generateName", "creationTimestamp"));
    metadata.put("namespace", meta.namespace());
    refuseWhatIsNoJob(job.deepCopy(), meta, template);
    JsonNode kept = Template.literal(job);
    ((ObjectNode) kept.path("metadata"))
        .withObjectProperty("annotations")
        .put(SCHEDULED_AT, "${{ run.logicalTime }}");
    String json = new KeptFields(spec.violations()).json(kept, spec.path("jobTemplate"));
    return json == null ? "{}" : json;
  }

  private static void refuseWhatIsNoJob(ObjectNode job, ObjectMeta meta, ObjectCursor template) {
    job.withObjectProperty("metadata").put("name", meta.name());
    try {
      ManifestReader.readJobManifest(job, ReadingTerms.DEFAULT);
    } catch (InvalidManifestException invalid) {
      for (Violation violation : invalid.violations()) {
        Path place = new Path(template.path(), "." + violation.path());
        template.violations().add(place, violation.value(), violation.message());
      }
    }
  }
}
