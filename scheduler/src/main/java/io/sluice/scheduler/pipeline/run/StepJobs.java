// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.manifests.template.Template;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.pipeline.FanOut;
import io.sluice.queuemodel.pipeline.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Creates the jobs of steps from their templates. */
public final class StepJobs {
  static final String PIPELINE_LABEL = "sluice.io/pipeline";
  static final String RUN_LABEL = "sluice.io/run";
  static final String STEP_LABEL = "sluice.io/step";
  private static final String PRIORITY_CLASS_LABEL = "kueue.x-k8s.io/priority-class";
  private static final int ITEMS_MAX = 5000;
  private static final String API_VERSION = "sluice.io/v1";
  private static final String KIND = "Job";

  private final RunView run;

  public StepJobs(RunView run) {
    this.run = run;
  }

  /**
   * The items of a step, one for each part; a single null for a step that is one job.
   *
   * @throws InvalidValueException if its expression is no list, or too long a one
   */
  public List<@Nullable JsonNode> items(Step step) {
    List<@Nullable JsonNode> items = new ArrayList<>();
    FanOut fanOut = step.fanOut();
    if (fanOut == null) {
      items.add(null);
      return items;
    }
    if (fanOut.expression() == null) {
      fanOut.items().forEach(item -> items.add(RunScope.json(item)));
      return items;
    }
    List<Template.Fault> faults = new ArrayList<>();
    JsonNode list =
        new Template(TextNode.valueOf(fanOut.expression()))
            .expand(new RunScope(run, null, null), faults);
    if (!faults.isEmpty()) {
      throw new InvalidValueException("forEach: " + faults.get(0).message());
    }
    if (!(list instanceof ArrayNode array)) {
      throw new InvalidValueException("forEach gives no list: " + fanOut.expression());
    }
    if (array.size() > ITEMS_MAX) {
      throw new InvalidValueException(
          "forEach gives " + array.size() + " items: at most " + ITEMS_MAX);
    }
    array.forEach(items::add);
    return items;
  }

  /**
   * The manifest of a job.
   *
   * @param item of the part; null: the step is one job
   * @param state outcome of the run; null: not known yet
   * @throws InvalidValueException if the template reads a value that does not exist, or sets a
   *     field that a step must not set
   */
  public ObjectNode manifest(
      Step step, int part, int tryNumber, @Nullable JsonNode item, @Nullable RunState state) {
    List<Template.Fault> faults = new ArrayList<>();
    JsonNode expanded =
        new Template(RunScope.json(step.job())).expandJob(new RunScope(run, item, state), faults);
    if (!faults.isEmpty()) {
      Template.Fault fault = faults.get(0);
      throw new InvalidValueException(
          "job" + (fault.place().isEmpty() ? "" : "." + fault.place()) + ": " + fault.message());
    }
    ObjectNode manifest = (ObjectNode) expanded;
    if (!manifest.has("apiVersion") && !manifest.has("kind")) {
      manifest.put("apiVersion", API_VERSION).put("kind", KIND);
    }
    ObjectNode metadata = objectIn(manifest, "metadata");
    String namespace = run.identity().namespace();
    if (metadata.hasNonNull("namespace") && !namespace.equals(metadata.get("namespace").asText())) {
      throw new InvalidValueException(
          "job.metadata.namespace must be that of the pipeline, " + namespace);
    }
    metadata.put("namespace", namespace);
    metadata.put("name", name(step, part, tryNumber));
    ObjectNode labels = objectIn(metadata, "labels");
    labels.put(PIPELINE_LABEL, run.pipeline().meta().name());
    labels.put(RUN_LABEL, run.identity().name());
    labels.put(STEP_LABEL, step.name());
    putPriority(manifest, labels, step);
    return manifest;
  }

  /** Names the priority class in the way of our own jobs, or of jobs of Kubernetes. */
  private void putPriority(ObjectNode manifest, ObjectNode labels, Step step) {
    String priorityClass =
        step.priorityClass() == null
            ? run.pipeline().terms().priorityClass()
            : step.priorityClass();
    if (priorityClass == null) {
      return;
    }
    boolean ours = API_VERSION.equals(manifest.path("apiVersion").asText());
    if (!ours) {
      labels.putIfAbsent(PRIORITY_CLASS_LABEL, TextNode.valueOf(priorityClass));
    } else if (manifest.path("spec") instanceof ObjectNode spec
        && !spec.hasNonNull("priorityClass")) {
      spec.put("priorityClass", priorityClass);
    }
  }

  private String name(Step step, int part, int tryNumber) {
    String name = run.identity().name() + "-" + step.name();
    String numbered = step.fanOut() == null ? name : name + "-" + part;
    return tryNumber == 1 ? numbered : numbered + "-r" + tryNumber;
  }

  private static ObjectNode objectIn(ObjectNode owner, String field) {
    if (owner.path(field) instanceof ObjectNode there) {
      return there;
    }
    if (owner.hasNonNull(field)) {
      throw new InvalidValueException("job." + field + " must be an object");
    }
    return owner.putObject(field);
  }

  /** The idempotency key of a try's job. */
  static String key(UUID run, String step, int part, int tryNumber) {
    return "run/" + run + "/" + step + "/" + part + "/" + tryNumber;
  }
}
