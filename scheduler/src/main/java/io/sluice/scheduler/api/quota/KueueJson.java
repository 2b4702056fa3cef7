// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.kueue.KueueExport.Exported;
import io.sluice.scheduler.kueue.KueueImport;
import io.sluice.scheduler.kueue.KueuePlan;
import io.sluice.scheduler.kueue.KueueSetup;
import io.sluice.scheduler.kueue.SeenWorkload;
import io.sluice.scheduler.kueue.SeenWorkload.Standing;
import io.sluice.scheduler.store.job.UnendedJobs.Unended;
import io.sluice.scheduler.submission.QuotaAdministration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Imports from Kueue and exports to it, as JSON for callers. */
final class KueueJson {
  /** Maximum number of workloads and jobs that are listed one by one. */
  private static final int NAMED_MAX = 100;

  private KueueJson() {}

  static ObjectNode answer(boolean dryRun) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("dryRun", dryRun);
    json.putArray("results");
    return json;
  }

  /** Adds the result of an import to an answer. */
  static ObjectNode taken(ObjectNode json, KueuePlan plan, KueueImport.Written written) {
    ArrayNode results = json.withArray("results");
    for (QuotaAdministration.Applied applied : written.objects()) {
      ObjectNode one = results.addObject();
      QuotaJson.name(applied.stored().object().key(), one);
      one.put("result", applied.result().name().toLowerCase(Locale.ROOT));
    }
    setup(json, plan);
    ObjectNode workloads = workloads(json, plan);
    workloads.put("placed", written.placed());
    workloads.put("here", written.here());
    return json;
  }

  /** The answer to a dry run of an import that cannot be written. */
  static ObjectNode refused(KueuePlan plan, List<KueuePlan.Refused> refused) {
    ObjectNode json = answer(true);
    Map<Integer, KueuePlan.Refused> byNumber = new HashMap<>();
    refused.forEach(one -> byNumber.putIfAbsent(one.number(), one));
    for (int number = 1; number <= plan.setup().objects().size(); number++) {
      KueuePlan.Refused wrong = byNumber.get(number);
      JsonNode object = plan.setup().objects().get(number - 1);
      ObjectNode one = json.withArray("results").addObject();
      name(
          object.path("kind").asText(),
          object.path("metadata").path("namespace").asText(""),
          object.path("metadata").path("name").asText(),
          one);
      one.put("result", wrong == null ? "in order" : "refused");
      if (wrong != null) {
        one.put("reason", inDocument(wrong.why()).toString());
      }
    }
    setup(json, plan);
    workloads(json, plan);
    return json;
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

  private static void name(String kind, String namespace, String name, ObjectNode json) {
    json.put("kind", kind);
    if (!namespace.isEmpty()) {
      json.put("namespace", namespace);
    }
    json.put("name", name);
  }

  private static void setup(ObjectNode json, KueuePlan plan) {
    KueueSetup setup = plan.setup();
    json.put("cluster", setup.cluster());
    json.put("version", setup.version());
    ArrayNode controllers = json.putArray("controllers");
    for (KueueSetup.Controller controller : setup.controllers()) {
      ObjectNode one = controllers.addObject();
      name("Deployment", controller.namespace(), controller.name(), one);
      one.put("replicas", controller.replicas());
    }
    setup.webhooks().forEach(json.putArray("webhooks")::add);
    setup.missing().forEach(json.putArray("missing")::add);
    ArrayNode others = json.putArray("left");
    for (KueueSetup.Other other : plan.others()) {
      ObjectNode one = others.addObject();
      name(other.kind(), other.namespace(), other.name(), one);
      one.put("reason", other.reason());
    }
  }

  private static ObjectNode workloads(ObjectNode json, KueuePlan plan) {
    ObjectNode workloads = json.putObject("workloads");
    workloads.put("waiting", plan.count(Standing.WAITS));
    workloads.put("held", plan.count(Standing.HELD));
    workloads.put("running", plan.count(Standing.RUNS));
    workloads.put("left", plan.count(Standing.LEFT));
    ArrayNode named = workloads.putArray("first");
    plan.setup().workloads().stream()
        .filter(one -> one.standing() == Standing.LEFT || one.standing() == Standing.RUNS)
        .limit(NAMED_MAX)
        .forEach(one -> workload(one, named.addObject()));
    ArrayNode usage = workloads.putArray("usage");
    plan.running()
        .forEach(
            (holding, amount) -> {
              ObjectNode one = usage.addObject();
              one.put("clusterQueue", holding.clusterQueue());
              one.put("flavor", holding.flavor());
              one.put("resource", holding.resource());
              one.put("amount", Quantities.format(amount, new ResourceName(holding.resource())));
            });
    return workloads;
  }

  private static void workload(SeenWorkload seen, ObjectNode json) {
    name("Workload", seen.namespace(), seen.name(), json);
    json.put("owner", seen.owner());
    boolean runs = seen.standing() == Standing.RUNS;
    json.put("reason", runs ? "runs, and ends under Kueue" : seen.reason());
  }

  /** An export. */
  static ObjectNode given(Exported exported) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode objects = json.putArray("objects");
    exported.objects().forEach(objects::add);
    ArrayNode ours = json.putArray("ours");
    exported.ours().forEach(key -> QuotaJson.name(key, ours.addObject()));
    ObjectNode jobs = json.putObject("jobs");
    jobs.put("complete", !exported.more());
    ArrayNode adopted = jobs.putArray("adopted");
    ArrayNode documents = jobs.putArray("written");
    ArrayNode left = jobs.putArray("left");
    for (Exported.Job one : exported.jobs()) {
      Unended job = one.job();
      if (job.adoptedIn() != null) {
        job(job, adopted).put("cluster", job.adoptedIn());
      } else if (one.documents().isEmpty()) {
        job(job, left)
            .put("reason", job.pending() ? "was submitted as a spec of Sluice's" : "was admitted");
      } else {
        ArrayNode written = job(job, documents).putArray("documents");
        one.documents().forEach(written::add);
      }
    }
    return json;
  }

  private static ObjectNode job(Unended job, ArrayNode list) {
    ObjectNode one = list.addObject();
    one.put("id", job.id().toString());
    name("Job", job.namespace(), job.name(), one);
    one.put("state", job.state().name());
    return one;
  }
}
