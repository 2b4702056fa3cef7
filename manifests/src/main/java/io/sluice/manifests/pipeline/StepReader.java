// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.pipeline.FanOut;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.queuemodel.pipeline.Step.Condition;
import io.sluice.queuemodel.pipeline.Step.Dependency;
import io.sluice.queuemodel.pipeline.StepRetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the steps of pipelines. */
final class StepReader {
  private static final int DEPENDENCIES_MAX = 1000;
  private static final int RETRIES_MAX = 100;
  private static final int NAME_LENGTH_MAX = 40;
  private static final Duration BACKOFF_MAX = Duration.ofHours(1);
  private static final List<Condition> CONDITIONS = List.of(Condition.values());
  private static final List<FailureCause> CAUSES =
      List.of(FailureCause.values()).stream().filter(FailureCause::countsAsFailure).toList();

  private StepReader() {}

  /**
   * One step.
   *
   * @param names of the steps before it; its own is added
   * @param exits whether it is an exit handler, which waits for all and is one job
   */
  static @Nullable Step read(ObjectCursor cursor, Set<String> names, boolean exits) {
    String name = cursor.requiredText("name", Names::requireLabel);
    if (name.length() > NAME_LENGTH_MAX) {
      cursor.refuse("name", "must have at most " + NAME_LENGTH_MAX + " characters");
    } else if (!name.isEmpty() && !names.add(name)) {
      cursor.refuse("name", "is there twice");
    }
    FanOut fanOut = null;
    List<Dependency> dependsOn = List.of();
    if (exits) {
      cursor.refuseAs("dependsOn", "must not be there: an exit handler waits for all steps");
      cursor.refuseAs("forEach", "must not be there: an exit handler is one job");
      cursor.refuseAs("matrix", "must not be there: an exit handler is one job");
      cursor.refuseAs("maxParallel", "must not be there: an exit handler is one job");
    } else {
      fanOut = FanOutReader.read(cursor);
      dependsOn = dependsOn(cursor);
    }
    StepRetry retry = retry(cursor);
    Duration timeLimit =
        cursor.duration("timeLimit", PipelineReader.LIMIT_MIN, PipelineReader.LIMIT_MAX);
    String priorityClass = cursor.text("priorityClass", Names::requireSubdomain);
    JsonNode job = cursor.require("job") ? cursor.raw("job") : null;
    if (job != null && !job.isObject()) {
      cursor.refuse("job", "must be an object: a job's manifest, which may do without its name");
    }
    String template =
        job == null ? null : new KeptFields(cursor.violations()).json(job, cursor.path("job"));
    cursor.end();
    return new Step(
        name,
        dependsOn,
        fanOut,
        retry,
        timeLimit,
        priorityClass,
        template == null ? "{}" : template);
  }

  private static List<Dependency> dependsOn(ObjectCursor cursor) {
    List<Dependency> dependencies = new ArrayList<>();
    Set<String> named = new HashSet<>();
    List<JsonNode> items = cursor.items("dependsOn", DEPENDENCIES_MAX);
    for (int i = 0; i < items.size(); i++) {
      Path place = cursor.path("dependsOn").index(i);
      Dependency dependency = dependency(items.get(i), place, cursor.violations());
      if (dependency != null && named.add(dependency.step())) {
        dependencies.add(dependency);
      } else if (dependency != null) {
        cursor.violations().add(place, items.get(i), "is there twice");
      }
    }
    return dependencies;
  }

  /** A name alone waits for success. */
  private static @Nullable Dependency dependency(JsonNode item, Path place, Violations violations) {
    if (item.isTextual()) {
      return new Dependency(item.textValue(), Condition.SUCCEEDED);
    }
    ObjectCursor cursor =
        ObjectCursor.open(item, place, "a name, or what a step waits for", violations);
    if (cursor == null) {
      return null;
    }
    String step = cursor.requiredText("step", Names::requireLabel);
    Condition when = cursor.word("when", CONDITIONS, Condition::word, Condition.SUCCEEDED);
    cursor.end();
    return new Dependency(step, when);
  }

  private static StepRetry retry(ObjectCursor owner) {
    ObjectCursor cursor = owner.object("retry", "a step's retry");
    if (cursor == null) {
      return StepRetry.NONE;
    }
    cursor.require("limit");
    int limit = cursor.whole("limit", 0, RETRIES_MAX, 0);
    Duration backoff = cursor.duration("backoff", Duration.ZERO, BACKOFF_MAX);
    List<FailureCause> causes = new ArrayList<>();
    List<JsonNode> items = cursor.items("causes", CAUSES.size());
    for (int i = 0; i < items.size(); i++) {
      FailureCause cause = cause(items.get(i).asText());
      if (cause == null) {
        cursor
            .violations()
            .add(
                cursor.path("causes").index(i),
                items.get(i),
                "must be one of "
                    + String.join(", ", CAUSES.stream().map(FailureCause::name).toList()));
      } else {
        causes.add(cause);
      }
    }
    cursor.end();
    return new StepRetry(limit, causes, backoff == null ? StepRetry.NONE.backoff() : backoff);
  }

  private static @Nullable FailureCause cause(String word) {
    return CAUSES.stream().filter(cause -> cause.name().equals(word)).findFirst().orElse(null);
  }
}
