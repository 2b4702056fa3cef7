// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.pipeline.Parameter;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.RunTerms;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.queuemodel.pipeline.WhenLate;
import io.sluice.queuemodel.pipeline.WhenLate.Standing;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code kind: Pipeline}. */
public final class PipelineReader {
  static final int STEPS_MAX = 5000;
  private static final int PARAMETERS_MAX = 100;
  private static final int SCHEDULES_MAX = 100;
  private static final int TEXT_LENGTH_MAX = 1000;
  private static final int NAME_LENGTH_MAX = 40;
  static final Duration LIMIT_MIN = Duration.ofSeconds(1);
  public static final Duration LIMIT_MAX = Duration.ofDays(365);
  private static final Duration KEEP_MAX = Duration.ofDays(3650);
  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,62}");

  private PipelineReader() {}

  /** The pipeline, of use only if the cursor's violations are empty then. */
  public static Pipeline read(ObjectCursor top) {
    ObjectMeta meta = meta(top);
    ObjectCursor spec = top.objectOrEmpty("spec", "a Pipeline's spec");
    Set<String> parameterNames = new HashSet<>();
    List<Parameter> parameters =
        spec.objects(
            "parameters",
            PARAMETERS_MAX,
            "a parameter",
            cursor -> parameter(cursor, parameterNames));
    spec.requireEntries("steps");
    Set<String> stepNames = new HashSet<>();
    List<Step> steps =
        spec.objects(
            "steps", STEPS_MAX, "a step", cursor -> StepReader.read(cursor, stepNames, false));
    ObjectCursor exit = spec.object("exitHandler", "an exit handler");
    Step exitHandler = exit == null ? null : StepReader.read(exit, stepNames, true);
    Set<String> scheduleNames = new HashSet<>();
    List<Schedule> schedules =
        spec.objects(
            "schedules",
            SCHEDULES_MAX,
            "a schedule",
            cursor -> ScheduleReader.read(cursor, scheduleNames, parameterNames));
    Pipeline pipeline = new Pipeline(meta, parameters, steps, exitHandler, terms(spec), schedules);
    spec.end();
    if (spec.violations().isEmpty()) {
      new PipelineCheck(pipeline, spec).check();
    }
    return pipeline;
  }

  private static final List<Standing> STANDINGS = List.of(Standing.values());

  /** The metadata of what becomes a pipeline. */
  public static ObjectMeta meta(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.namespaced(top, null);
    if (meta.name().length() > NAME_LENGTH_MAX) {
      top.violations()
          .add(
              top.path("metadata").field("name"),
              meta.name(),
              "must have at most "
                  + NAME_LENGTH_MAX
                  + " characters, since the names of its runs and jobs begin with it");
    }
    return meta;
  }

  private static @Nullable Parameter parameter(ObjectCursor cursor, Set<String> names) {
    String name = cursor.requiredText("name", PipelineReader::requireParameter);
    if (!name.isEmpty() && !names.add(name)) {
      cursor.refuse("name", "is there twice");
    }
    JsonNode fallback = cursor.raw("default");
    String kept =
        fallback == null
            ? null
            : new KeptFields(cursor.violations()).json(fallback, cursor.path("default"));
    String description = cursor.text("description");
    cursor.end();
    if (description != null && description.length() > TEXT_LENGTH_MAX) {
      cursor.refuse("description", "must have at most " + TEXT_LENGTH_MAX + " characters");
    }
    return new Parameter(name, kept, description == null ? "" : description);
  }

  /**
   * What a parameter may be called.
   *
   * @throws InvalidValueException if the text is no such name
   */
  static String requireParameter(String text) {
    if (!PARAMETER.matcher(text).matches()) {
      throw new InvalidValueException(
          "must be at most 63 letters, digits, '-' or '_', and not begin with a digit");
    }
    return text;
  }

  private static RunTerms terms(ObjectCursor spec) {
    Duration keepFor = spec.duration("keepRunsFor", LIMIT_MIN, KEEP_MAX);
    Duration deadline = spec.duration("deadline", LIMIT_MIN, LIMIT_MAX);
    WhenLate whenLate = whenLate(spec.object("whenLate", "a reaction to lateness"));
    if (spec.has("whenLate") && !spec.has("deadline")) {
      spec.refuse("whenLate", "must not be there without a deadline");
    }
    return new RunTerms(
        spec.duration("timeLimit", LIMIT_MIN, LIMIT_MAX),
        deadline,
        spec.text("priorityClass", Names::requireSubdomain),
        keepFor == null ? RunTerms.KEEP_FOR : keepFor,
        whenLate);
  }

  private static @Nullable WhenLate whenLate(@Nullable ObjectCursor cursor) {
    if (cursor == null) {
      return null;
    }
    Standing from = cursor.word("from", STANDINGS, Standing::word, Standing.WILL_BE_LATE);
    Duration most = cursor.duration("headStartMax", LIMIT_MIN, WhenLate.MAX);
    if (most == null && !cursor.has("headStartMax")) {
      cursor.refuse("headStartMax", "is required");
    }
    cursor.end();
    return most == null ? null : new WhenLate(from, most);
  }
}
