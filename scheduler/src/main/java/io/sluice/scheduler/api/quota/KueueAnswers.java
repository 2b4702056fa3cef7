// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.restmodel.preview.EditPreview;
import io.sluice.restmodel.quota.KueueExported;
import io.sluice.restmodel.quota.KueueExported.ExportedJob;
import io.sluice.restmodel.quota.KueueExported.ExportedJobs;
import io.sluice.restmodel.quota.KueueImported;
import io.sluice.restmodel.quota.KueueImported.KueueController;
import io.sluice.restmodel.quota.KueueImported.KueueUsage;
import io.sluice.restmodel.quota.KueueImported.KueueWorkload;
import io.sluice.restmodel.quota.KueueImported.KueueWorkloads;
import io.sluice.restmodel.quota.KueueImported.ObjectLeft;
import io.sluice.restmodel.quota.KueueImported.QuotaResult;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.kueue.KueueExport.Exported;
import io.sluice.scheduler.kueue.KueueImport;
import io.sluice.scheduler.kueue.KueuePlan;
import io.sluice.scheduler.kueue.KueueSetup;
import io.sluice.scheduler.kueue.SeenWorkload;
import io.sluice.scheduler.kueue.SeenWorkload.Standing;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.job.UnendedJobs.Unended;
import io.sluice.scheduler.submission.QuotaAdministration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts imports from Kueue and exports to it for answers. */
final class KueueAnswers {
  /** Maximum number of workloads and jobs that are listed one by one. */
  private static final int NAMED_MAX = 100;

  private KueueAnswers() {}

  /**
   * The result of an import.
   *
   * @param preview its effects if it was a dry run; null: it was not
   */
  static KueueImported taken(
      KueuePlan plan, KueueImport.Written written, @Nullable EditPreview preview) {
    List<QuotaResult> results = written.objects().stream().map(KueueAnswers::result).toList();
    return answer(
        plan, preview != null, results, preview, workloads(plan, written.placed(), written.here()));
  }

  private static QuotaResult result(QuotaAdministration.Applied applied) {
    ObjectKey key = applied.stored().object().key();
    return new QuotaResult(
        key.kind().kind(),
        Texts.unlessEmpty(key.namespace()),
        key.name(),
        applied.result().name().toLowerCase(Locale.ROOT),
        null);
  }

  /** The answer to a dry run of an import that cannot be written. */
  static KueueImported refused(KueuePlan plan, List<KueuePlan.Refused> refused) {
    Map<Integer, KueuePlan.Refused> byNumber = new HashMap<>();
    refused.forEach(one -> byNumber.putIfAbsent(one.number(), one));
    List<QuotaResult> results = new ArrayList<>();
    for (int number = 1; number <= plan.setup().objects().size(); number++) {
      KueuePlan.Refused wrong = byNumber.get(number);
      JsonNode object = plan.setup().objects().get(number - 1);
      results.add(
          new QuotaResult(
              object.path("kind").asText(),
              Texts.unlessEmpty(object.path("metadata").path("namespace").asText("")),
              object.path("metadata").path("name").asText(),
              wrong == null ? "in order" : "refused",
              wrong == null ? null : inDocument(wrong.why()).toString()));
    }
    return answer(plan, true, results, null, workloads(plan, null, null));
  }

  /**
   * A violation that names the object, as its position in the cluster's list means nothing to a
   * caller.
   */
  static Violation violation(KueuePlan.Refused refused) {
    Violation why = refused.why();
    String object =
        refused.kind()
            + " "
            + (refused.namespace().isEmpty() ? "" : refused.namespace() + "/")
            + refused.name();
    String path = why.path().isEmpty() ? object : object + ", " + why.path();
    return new Violation(1, path, why.value(), why.message());
  }

  private static Violation inDocument(Violation why) {
    return new Violation(1, why.path(), why.value(), why.message());
  }

  private static KueueImported answer(
      KueuePlan plan,
      boolean dryRun,
      List<QuotaResult> results,
      @Nullable EditPreview preview,
      KueueWorkloads workloads) {
    KueueSetup setup = plan.setup();
    return new KueueImported(
        dryRun,
        results,
        preview,
        setup.cluster(),
        setup.version(),
        setup.controllers().stream().map(KueueAnswers::controller).toList(),
        setup.webhooks(),
        setup.missing(),
        plan.others().stream().map(KueueAnswers::left).toList(),
        workloads);
  }

  private static KueueController controller(KueueSetup.Controller controller) {
    return new KueueController(
        "Deployment",
        Texts.unlessEmpty(controller.namespace()),
        controller.name(),
        controller.replicas());
  }

  private static ObjectLeft left(KueueSetup.Other other) {
    return new ObjectLeft(
        other.kind(), Texts.unlessEmpty(other.namespace()), other.name(), other.reason());
  }

  private static KueueWorkloads workloads(
      KueuePlan plan, @Nullable Integer placed, @Nullable Integer here) {
    List<KueueWorkload> named =
        plan.setup().workloads().stream()
            .filter(one -> one.standing() == Standing.LEFT || one.standing() == Standing.RUNS)
            .limit(NAMED_MAX)
            .map(KueueAnswers::workload)
            .toList();
    List<KueueUsage> usage = new ArrayList<>();
    plan.running()
        .forEach(
            (holding, amount) ->
                usage.add(
                    new KueueUsage(
                        holding.clusterQueue(),
                        holding.flavor(),
                        holding.resource(),
                        Quantities.format(amount, new ResourceName(holding.resource())))));
    return new KueueWorkloads(
        plan.count(Standing.WAITS),
        plan.count(Standing.HELD),
        plan.count(Standing.RUNS),
        plan.count(Standing.LEFT),
        named,
        usage,
        placed,
        here);
  }

  private static KueueWorkload workload(SeenWorkload seen) {
    boolean runs = seen.standing() == Standing.RUNS;
    return new KueueWorkload(
        "Workload",
        Texts.unlessEmpty(seen.namespace()),
        seen.name(),
        seen.owner(),
        runs ? "runs, and ends under Kueue" : seen.reason());
  }

  /** An export. */
  static KueueExported given(Exported exported) {
    List<ExportedJob> adopted = new ArrayList<>();
    List<ExportedJob> written = new ArrayList<>();
    List<ExportedJob> left = new ArrayList<>();
    for (Exported.Job one : exported.jobs()) {
      Unended job = one.job();
      if (job.adoptedIn() != null) {
        adopted.add(job(job, job.adoptedIn(), null, null));
      } else if (one.documents().isEmpty()) {
        left.add(
            job(
                job,
                null,
                null,
                job.pending() ? "was submitted as a spec of Sluice's" : "was admitted"));
      } else {
        written.add(job(job, null, fields(one.documents()), null));
      }
    }
    return new KueueExported(
        fields(exported.objects()),
        exported.ours().stream()
            .map(
                key ->
                    new KueueExported.ObjectName(
                        key.kind().kind(), Texts.unlessEmpty(key.namespace()), key.name()))
            .toList(),
        new ExportedJobs(!exported.more(), adopted, written, left));
  }

  private static List<Map<String, Object>> fields(List<ObjectNode> objects) {
    return objects.stream().map(JournalJson::fields).toList();
  }

  private static ExportedJob job(
      Unended job,
      @Nullable String cluster,
      @Nullable List<Map<String, Object>> documents,
      @Nullable String reason) {
    return new ExportedJob(
        job.id().toString(),
        "Job",
        job.namespace(),
        job.name(),
        job.state().name(),
        cluster,
        documents,
        reason);
  }
}
