// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.AcceleratorReader;
import io.sluice.manifests.field.AcceleratorReader.SliceKind;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.ScalarReader;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.Provisioning;
import io.sluice.queuemodel.quota.Provisioning.By;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the annotation of a ResourceFlavor about provisioning. */
public final class ProvisioningReader {
  private static final int SLICES_MAX = 64;
  private static final int MOST_MAX = 1000;
  private static final int PARAMETERS_MAX = 100;
  private static final int PARAMETER_LENGTH_MAX = 255;
  private static final int RETRIES = 3;
  private static final int RETRIES_MAX = 100;
  private static final Duration RETRY_AFTER = Duration.ofMinutes(1);
  private static final Duration RETRY_AFTER_MAX = Duration.ofHours(1);

  private ProvisioningReader() {}

  /** What a flavor that was accepted says; null if it says nothing, or what it says is unknown. */
  public static @Nullable Provisioning of(ResourceFlavor flavor, ReadingTerms terms) {
    Violations violations = new Violations(SLICES_MAX);
    Provisioning read = read(flavor.meta(), Path.ROOT, violations, terms);
    return violations.isEmpty() ? read : null;
  }

  /** Null if nothing is said; of use only if there are no more violations then. */
  static @Nullable Provisioning read(
      ObjectMeta meta, Path metadata, Violations violations, ReadingTerms terms) {
    String text = meta.annotations().get(Provisioning.ANNOTATION);
    if (text == null) {
      return null;
    }
    Path path = metadata.field("annotations").key(Provisioning.ANNOTATION);
    List<Document> documents = TextDocuments.splitYaml(text);
    if (documents.size() != 1
        || !documents.get(0).violations().isEmpty()
        || !(documents.get(0).root() instanceof ObjectNode root)) {
      violations.add(path, text, "must be an object with by and slices");
      return null;
    }
    try {
      String unused = Names.requireLabelValue(meta.name());
    } catch (InvalidValueException problem) {
      violations.add(path, meta.name(), "needs a flavor whose name can be a label's value");
    }
    ObjectCursor cursor = ObjectCursor.open(root, path, "a provisioning", violations);
    return cursor == null ? null : read(cursor, terms);
  }

  private static Provisioning read(ObjectCursor cursor, ReadingTerms terms) {
    cursor.require("by");
    By by = cursor.word("by", List.of(By.values()), By::word, By.PLACEHOLDER_PODS);
    String className = "";
    if (by == By.PROVISIONING_REQUEST) {
      className = cursor.requiredText("className", Names::requireSubdomain);
    }
    Labels parameters = by == By.PROVISIONING_REQUEST ? parameters(cursor) : Labels.NONE;
    int retries = cursor.whole("retries", 0, RETRIES_MAX, RETRIES);
    Duration retryAfter = cursor.duration("retryAfter", Duration.ofSeconds(1), RETRY_AFTER_MAX);
    cursor.requireEntries("slices");
    List<Provisioning.Slices> slices =
        cursor.objects("slices", SLICES_MAX, "slices", entry -> slices(entry, terms));
    cursor.end();
    return new Provisioning(
        by, className, parameters, retries, retryAfter == null ? RETRY_AFTER : retryAfter, slices);
  }

  private static Provisioning.@Nullable Slices slices(ObjectCursor entry, ReadingTerms terms) {
    SliceKind kind = AcceleratorReader.sliceKind(entry, terms);
    entry.require("most");
    int most = entry.whole("most", 1, MOST_MAX, 1);
    entry.end();
    return kind == null
        ? null
        : new Provisioning.Slices(kind.type().name(), kind.topology(), kind.hosts(), most);
  }

  private static Labels parameters(ObjectCursor cursor) {
    TreeMap<String, String> parameters = new TreeMap<>();
    cursor.entries(
        "parameters",
        PARAMETERS_MAX,
        Names::requireQualified,
        (String key, JsonNode value, Path path, ScalarReader scalars) -> {
          String text = value.isValueNode() ? value.asText() : "";
          if (text.isEmpty() || text.length() > PARAMETER_LENGTH_MAX) {
            cursor
                .violations()
                .add(path, text, "must be a text of 1 to " + PARAMETER_LENGTH_MAX + " characters");
          } else {
            parameters.put(key, text);
          }
        });
    return Labels.of(parameters);
  }
}
