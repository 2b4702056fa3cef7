// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a load from a JSON file. It refuses a file with an unknown, missing, doubled or wrong
 * field; the error names the field's path, its value and what is allowed. {@code totals}, {@code
 * reference} and {@code note} are optional; totals must agree with the rest.
 */
final class LoadReader {
  static final int BYTES_MAX = 1 << 20;
  static final int CLUSTER_QUEUES_MAX = 10_000;
  static final int WORKLOADS_MAX = 1_000_000;
  static final int CLASSES_MAX = 100;

  /** Names of jobs and priority classes join the names of the load and the class. */
  private static final int NAME_LENGTH_MAX = 40;

  private static final long CPU_MAX = 100_000;
  private static final long MILLIS_MAX = 86_400_000;
  private static final int PRIORITY_MAX = 1_000_000_000;

  /** Totals are written with two decimals. */
  private static final double ROUNDING = 0.0101;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final String file;

  private LoadReader(String file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @throws WrongUsageException if it cannot be read, or is no load
   */
  static Load read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return read(file.toString(), in.readNBytes(BYTES_MAX + 1));
    } catch (NoSuchFileException absent) {
      throw new WrongUsageException("there is no file " + file);
    } catch (IOException unreadable) {
      throw new WrongUsageException("cannot read " + file + ": " + unreadable.getMessage());
    }
  }

  /** Reads a load from JSON; the name of its file is for messages. */
  static Load read(String file, byte[] json) {
    if (json.length > BYTES_MAX) {
      throw new WrongUsageException(file + " has more than 1 MiB, the most of a load");
    }
    LoadReader reader = new LoadReader(file);
    try {
      return reader.load(JSON.readTree(json));
    } catch (JsonProcessingException broken) {
      throw new WrongUsageException(
          "%s, line %d: this is no JSON: %s"
              .formatted(
                  file,
                  broken.getLocation() == null ? 1 : broken.getLocation().getLineNr(),
                  broken.getOriginalMessage()));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Load load(JsonNode root) {
    Fields fields = new Fields("", root);
    String name = fields.label("name");
    int cohorts = (int) fields.whole("cohorts", 1, CLUSTER_QUEUES_MAX);
    int perCohort = (int) fields.whole("clusterQueuesPerCohort", 1, CLUSTER_QUEUES_MAX);
    if ((long) cohorts * perCohort > CLUSTER_QUEUES_MAX) {
      throw fields.fault(
          "clusterQueuesPerCohort",
          "so small that %d cohorts have at most %d ClusterQueues"
              .formatted(cohorts, CLUSTER_QUEUES_MAX));
    }
    Fields terms = fields.object("clusterQueue");
    Load.QueueTerms queue = queue(terms);
    List<Load.WorkloadClass> classes = classes(fields, queue, perCohort);
    Fields totals = fields.optional("totals");
    Fields reference = fields.optional("reference");
    fields.optionalText("note");
    fields.end();
    Load load =
        new Load(
            name,
            cohorts,
            perCohort,
            queue,
            classes,
            reference == null ? null : reference(reference, classes));
    if (load.workloads() > WORKLOADS_MAX) {
      throw new WrongUsageException(
          "%s: workloadsPerClusterQueue has %d workloads for %d ClusterQueues; at most %d in all"
              .formatted(
                  file,
                  load.workloads() / load.clusterQueues(),
                  load.clusterQueues(),
                  WORKLOADS_MAX));
    }
    if (totals != null) {
      check(totals, load);
    }
    return load;
  }

  private static Load.QueueTerms queue(Fields terms) {
    long nominal = terms.whole("nominalCpu", 1, CPU_MAX);
    long borrowing = terms.whole("borrowingLimitCpu", 0, CPU_MAX);
    Fields preemption = terms.object("preemption");
    String reclaim =
        preemption.word("reclaimWithinCohort", List.of("Never", "LowerPriority", "Any"));
    String within =
        preemption.word(
            "withinClusterQueue", List.of("Never", "LowerPriority", "LowerOrNewerEqualPriority"));
    preemption.end();
    String strategy = terms.word("queueingStrategy", List.of("BestEffortFIFO", "StrictFIFO"));
    terms.end();
    return new Load.QueueTerms(nominal, borrowing, reclaim, within, strategy);
  }

  private static List<Load.WorkloadClass> classes(
      Fields fields, Load.QueueTerms queue, int perCohort) {
    long most =
        Math.min(
            queue.nominalCpu() + queue.borrowingLimitCpu(), queue.nominalCpu() * (long) perCohort);
    List<Load.WorkloadClass> classes = new ArrayList<>();
    Set<String> names = new TreeSet<>();
    for (Fields one : fields.list("workloadsPerClusterQueue", CLASSES_MAX)) {
      Load.WorkloadClass read =
          new Load.WorkloadClass(
              one.label("class"),
              (int) one.whole("count", 1, WORKLOADS_MAX),
              one.whole("everyMs", 1, MILLIS_MAX),
              one.whole("runMs", 1, MILLIS_MAX),
              (int) one.whole("priority", -PRIORITY_MAX, PRIORITY_MAX),
              one.whole("requestCpu", 1, CPU_MAX));
      one.end();
      if (read.requestCpu() > most) {
        throw one.fault(
            "requestCpu", "at most " + most + ", all that a ClusterQueue can have or borrow");
      }
      if (!names.add(read.name())) {
        throw one.fault("class", "a name of its own");
      }
      classes.add(read);
    }
    return classes;
  }

  private static Load.Reference reference(Fields fields, List<Load.WorkloadClass> classes) {
    Map<String, Double> means = new LinkedHashMap<>();
    Fields byClass = fields.optional("meanTimeToAdmissionSeconds");
    if (byClass != null) {
      for (Load.WorkloadClass one : classes) {
        Double mean = byClass.optionalNumber(one.name());
        if (mean != null) {
          means.put(one.name(), mean);
        }
      }
      byClass.end();
    }
    Load.Reference reference =
        new Load.Reference(
            fields.text("system"),
            fields.text("source"),
            fields.optionalNumber("wallSeconds"),
            means,
            fields.optionalNumber("quotaHeldPercent"),
            fields.optionalNumber("usefulUsagePercent"));
    fields.end();
    return reference;
  }

  /** Compares totals that the file states with those of the load. */
  private static void check(Fields totals, Load load) {
    Double workloads = totals.optionalNumber("workloads");
    if (workloads != null && workloads != load.workloads()) {
      throw totals.fault("workloads", "as many as the load has: " + load.workloads());
    }
    checkSeconds(totals, "capacityBoundSeconds", load.capacityBoundSeconds());
    checkSeconds(totals, "lastArrivalSeconds", load.lastArrival().toMillis() / 1_000.0);
    totals.end();
  }

  private static void checkSeconds(Fields totals, String field, double ofLoad) {
    Double stated = totals.optionalNumber(field);
    if (stated != null && Math.abs(stated - ofLoad) > ROUNDING) {
      throw totals.fault(field, "that of the load: " + ofLoad);
    }
  }

  /** The fields of an object of the file, each of which must be asked for. */
  private final class Fields {
    private static final int SHOWN_MAX = 60;
    private static final double NUMBER_MAX = 1e12;

    private final String path;
    private final JsonNode object;
    private final Set<String> known = new TreeSet<>();

    Fields(String path, JsonNode object) {
      this.path = path;
      this.object = object;
      if (!object.isObject()) {
        throw wrong(path.isEmpty() ? "the file" : path, object, "an object");
      }
    }

    private String pathOf(String field) {
      return path.isEmpty() ? field : path + "." + field;
    }

    private WrongUsageException wrong(String where, JsonNode value, String allowed) {
      String text = value.toString();
      String is =
          value.isMissingNode()
              ? "absent"
              : text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "..." : text;
      return new WrongUsageException(
          "%s: %s is %s; it must be %s".formatted(file, where, is, allowed));
    }

    /** Returns the error of a field. */
    WrongUsageException fault(String field, String allowed) {
      return wrong(pathOf(field), object.path(field), allowed);
    }

    private JsonNode value(String field) {
      known.add(field);
      return object.path(field);
    }

    long whole(String field, long min, long max) {
      JsonNode value = value(field);
      boolean fits = value.isIntegralNumber() && value.canConvertToLong();
      if (!fits || value.longValue() < min || value.longValue() > max) {
        throw fault(field, "a whole number from %d to %d".formatted(min, max));
      }
      return value.longValue();
    }

    @Nullable Double optionalNumber(String field) {
      JsonNode value = value(field);
      if (value.isMissingNode()) {
        return null;
      }
      double number = value.doubleValue();
      if (!value.isNumber() || !(number >= 0 && number <= NUMBER_MAX)) {
        throw fault(field, "a number that is not negative");
      }
      return number;
    }

    String text(String field) {
      JsonNode value = value(field);
      if (!value.isTextual() || value.textValue().isBlank()) {
        throw fault(field, "a text");
      }
      return value.textValue();
    }

    void optionalText(String field) {
      if (!value(field).isMissingNode()) {
        text(field);
      }
    }

    String label(String field) {
      String text = text(field);
      try {
        if (text.length() <= NAME_LENGTH_MAX) {
          return Names.requireLabel(text);
        }
      } catch (InvalidValueException invalid) {
        throw fault(field, labelRule());
      }
      throw fault(field, labelRule());
    }

    private String labelRule() {
      return "at most %d lower-case letters, digits or '-', from a letter or digit to one"
          .formatted(NAME_LENGTH_MAX);
    }

    String word(String field, List<String> words) {
      JsonNode value = value(field);
      if (!value.isTextual() || !words.contains(value.textValue())) {
        throw fault(field, "one of " + String.join(", ", words));
      }
      return value.textValue();
    }

    Fields object(String field) {
      return new Fields(pathOf(field), value(field));
    }

    @Nullable Fields optional(String field) {
      return value(field).isMissingNode() ? null : object(field);
    }

    List<Fields> list(String field, int max) {
      JsonNode value = value(field);
      if (!value.isArray() || value.isEmpty() || value.size() > max) {
        throw fault(field, "a list of 1 to %d objects".formatted(max));
      }
      List<Fields> all = new ArrayList<>();
      for (int at = 0; at < value.size(); at++) {
        all.add(new Fields("%s[%d]".formatted(pathOf(field), at), value.get(at)));
      }
      return all;
    }

    /** Refuses a field that nothing asked for. */
    void end() {
      object
          .fieldNames()
          .forEachRemaining(
              field -> {
                if (!known.contains(field)) {
                  throw new WrongUsageException(
                      "%s: %s is no field of a load; the fields %s are %s"
                          .formatted(
                              file,
                              pathOf(field),
                              path.isEmpty() ? "of the file" : "of " + path,
                              String.join(", ", known)));
                }
              });
    }
  }
}
