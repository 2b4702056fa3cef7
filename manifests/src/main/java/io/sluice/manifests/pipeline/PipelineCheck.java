// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.NearestWord;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.template.Expression;
import io.sluice.manifests.template.Template;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks a pipeline as a whole: cyclic or missing dependencies, and templates that read unavailable
 * values.
 */
final class PipelineCheck {
  private static final Set<String> RUN_FIELDS =
      new TreeSet<>(List.of("id", "name", "pipeline", "logicalTime", "schedule"));

  /** Only an exit handler knows how its run ended. */
  private static final String RUN_STATE = "state";

  private final Pipeline pipeline;
  private final ObjectCursor spec;
  private final Path steps;
  private final TreeMap<String, Step> byName = new TreeMap<>();
  private final TreeSet<String> parameters = new TreeSet<>();

  PipelineCheck(Pipeline pipeline, ObjectCursor spec) {
    this.pipeline = pipeline;
    this.spec = spec;
    this.steps = spec.path("steps");
    pipeline.steps().forEach(step -> byName.put(step.name(), step));
    pipeline.parameters().forEach(parameter -> parameters.add(parameter.name()));
  }

  void check() {
    for (int i = 0; i < pipeline.steps().size(); i++) {
      dependenciesAreThere(pipeline.steps().get(i), steps.index(i));
    }
    if (!spec.violations().isEmpty() || !endsSomewhere()) {
      return;
    }
    for (int i = 0; i < pipeline.steps().size(); i++) {
      Step step = pipeline.steps().get(i);
      readsWhatIsThere(step, steps.index(i), before(step));
    }
    if (pipeline.exitHandler() != null) {
      readsWhatIsThere(pipeline.exitHandler(), spec.path("exitHandler"), byName.keySet());
    }
  }

  private void dependenciesAreThere(Step step, Path place) {
    for (int i = 0; i < step.dependsOn().size(); i++) {
      String name = step.dependsOn().get(i).step();
      if (!byName.containsKey(name)) {
        spec.violations()
            .add(
                place.field("dependsOn").index(i),
                name,
                "is no step of the pipeline" + NearestWord.suggestion(name, byName.keySet()));
      }
    }
  }

  /** Whether steps can be done one after another; if not, a circle is named. */
  private boolean endsSomewhere() {
    TreeSet<String> waiting = new TreeSet<>(byName.keySet());
    pipeline.inOrder().forEach(step -> waiting.remove(step.name()));
    if (waiting.isEmpty()) {
      return true;
    }
    spec.violations().add(steps, "", "wait for each other in a circle: " + circle(waiting));
    return false;
  }

  /** Each of these waits for another of them, so going from one to the next comes to a circle. */
  private String circle(Set<String> waiting) {
    List<String> way = new ArrayList<>();
    String at = waiting.iterator().next();
    while (!way.contains(at)) {
      way.add(at);
      Step step = step(at);
      at =
          step.dependsOn().stream()
              .map(Step.Dependency::step)
              .filter(waiting::contains)
              .findFirst()
              .orElseThrow();
    }
    List<String> circle = new ArrayList<>(way.subList(way.indexOf(at), way.size()));
    circle.add(at);
    return String.join(" -> ", circle);
  }

  private Step step(String name) {
    Step step = byName.get(name);
    if (step == null) {
      throw new IllegalStateException("there is no step " + name);
    }
    return step;
  }

  /** All steps that have ended, or were passed over, when a step begins. */
  private Set<String> before(Step step) {
    TreeSet<String> before = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>();
    step.dependsOn().forEach(dependency -> open.add(dependency.step()));
    while (!open.isEmpty()) {
      String name = open.remove();
      if (before.add(name)) {
        step(name).dependsOn().forEach(dependency -> open.add(dependency.step()));
      }
    }
    return before;
  }

  private void readsWhatIsThere(Step step, Path place, Set<String> before) {
    JsonNode job = KeptFields.parse(step.job());
    List<Template.Fault> faults = new ArrayList<>();
    for (Template.Placed placed : new Template(job).expressions(faults)) {
      String problem = problem(placed.expression(), step, before, step.fanOut() != null);
      if (problem != null) {
        faults.add(new Template.Fault(placed.place(), placed.expression() + " " + problem));
      }
    }
    for (Template.Fault fault : faults) {
      Path at =
          fault.place().isEmpty()
              ? place.field("job")
              : new Path(place.field("job"), "." + fault.place());
      spec.violations().add(at, "", fault.message());
    }
    if (step.fanOut() != null && step.fanOut().expression() != null) {
      List<Template.Fault> inItems = new ArrayList<>();
      JsonNode text = TextNode.valueOf(step.fanOut().expression());
      for (Template.Placed placed : new Template(text).expressions(inItems)) {
        String problem = problem(placed.expression(), step, before, false);
        if (problem != null) {
          inItems.add(new Template.Fault("", placed.expression() + " " + problem));
        }
      }
      for (Template.Fault fault : inItems) {
        spec.violations().add(place.field("forEach"), text, fault.message());
      }
    }
  }

  /** What is wrong with reading it; null if nothing is. */
  private @Nullable String problem(
      Expression expression, Step reader, Set<String> before, boolean hasItem) {
    String second = expression.part(1);
    return switch (expression.root()) {
      case "item" -> hasItem ? null : "is only there in a step with forEach or matrix";
      case "parameters" ->
          second != null && parameters.contains(second)
              ? null
              : "is no parameter of the pipeline"
                  + NearestWord.suggestion(second == null ? "" : second, parameters);
      case "run" -> {
        boolean exits = reader.equals(pipeline.exitHandler());
        boolean known =
            second != null
                && expression.path().size() == 2
                && (RUN_FIELDS.contains(second) || (exits && second.equals(RUN_STATE)));
        yield known
            ? null
            : "is not known of a run: one of "
                + String.join(", ", RUN_FIELDS)
                + ", and state in an exit handler";
      }
      case "steps" -> stepProblem(expression, before);
      default -> "must begin with parameters, item, run or steps";
    };
  }

  private @Nullable String stepProblem(Expression expression, Set<String> before) {
    String name = expression.part(1);
    String what = expression.part(2);
    Step step = name == null ? null : byName.get(name);
    if (name == null || step == null) {
      return "names no step of the pipeline"
          + NearestWord.suggestion(name == null ? "" : name, byName.keySet());
    }
    if (!before.contains(name)) {
      return "is not available: the step does not depend on " + name;
    }
    if ("state".equals(what) && expression.path().size() == 3) {
      return null;
    }
    String wanted = step.fanOut() == null ? "output" : "outputs";
    return wanted.equals(what)
        ? null
        : "must be steps." + name + "." + wanted + " or steps." + name + ".state";
  }
}
