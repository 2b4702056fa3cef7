// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import io.sluice.restmodel.job.JobView;
import io.sluice.restmodel.pipeline.SavedPipeline;
import io.sluice.restmodel.quota.QuotaObjectView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds to the fields of a manifest those that only answers have: {@code GET} shows an object as its
 * manifest with a status.
 */
final class AnswerFields {
  /** Fields of a manifest that the record of all quota objects has for one of the kinds. */
  private static final Set<String> OF_PRIORITY_CLASSES = Set.of("value", "description");

  private AnswerFields() {}

  /** Returns the fields of a kind of manifest with those of its answer. */
  static List<ExplainedField> added(String kind, List<ExplainedField> fields) {
    Class<?> answer = answer(kind);
    if (answer == null) {
      return fields;
    }
    boolean hasStatus = answer != QuotaObjectView.class || kind.endsWith("Queue");
    List<ExplainedField> shown =
        RecordFields.of(answer).stream()
            .filter(field -> hasStatus || !field.name().equals("status"))
            .filter(field -> !OF_PRIORITY_CLASSES.contains(field.name()))
            .toList();
    return merged(fields, shown);
  }

  private static @Nullable Class<?> answer(String kind) {
    return switch (kind) {
      case "Job" -> JobView.class;
      case "Pipeline" -> SavedPipeline.class;
      case "ResourceFlavor",
          "Topology",
          "Cohort",
          "ClusterQueue",
          "LocalQueue",
          "WorkloadPriorityClass",
          "ComputeClass",
          "Booking",
          "Outage",
          "Team",
          "RoleBinding" ->
          QuotaObjectView.class;
      default -> null;
    };
  }

  private static List<ExplainedField> merged(
      List<ExplainedField> fields, List<ExplainedField> shown) {
    List<ExplainedField> merged = new ArrayList<>();
    for (ExplainedField field : fields) {
      ExplainedField same = named(field.name(), shown);
      merged.add(same == null ? field : field.withFields(merged(field.fields(), same.fields())));
    }
    for (ExplainedField added : shown) {
      if (named(added.name(), fields) == null) {
        merged.add(added.readOnly());
      }
    }
    return merged;
  }

  private static @Nullable ExplainedField named(String name, List<ExplainedField> fields) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst().orElse(null);
  }
}
