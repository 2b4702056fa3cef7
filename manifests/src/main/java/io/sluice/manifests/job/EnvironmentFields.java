// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.job;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.job.SecretKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The field {@code env}: a map from names to values, or Kubernetes' list of both, which can also
 * refer to secrets.
 *
 * @param secrets names that are not in {@code values}
 */
public record EnvironmentFields(Labels values, SortedMap<String, SecretKey> secrets) {
  private static final String FIELD = "env";
  private static final String NAME = "name";
  private static final String FROM = "valueFrom";
  private static final String SECRET = "secretKeyRef";
  private static final int VARIABLES_MAX = 500;

  public EnvironmentFields {
    secrets = Collections.unmodifiableSortedMap(new TreeMap<>(secrets));
  }

  static EnvironmentFields read(ObjectCursor cursor) {
    TreeMap<String, String> values = new TreeMap<>();
    TreeMap<String, SecretKey> secrets = new TreeMap<>();
    if (cursor.isList(FIELD)) {
      cursor.objects(
          FIELD,
          VARIABLES_MAX,
          "an environment variable",
          entry -> variable(entry, values, secrets));
    } else {
      cursor.entries(
          FIELD,
          VARIABLES_MAX,
          Names::requireEnvironmentName,
          (name, value, path, scalars) -> {
            String text = scalars.text(value, path);
            if (text != null) {
              values.put(name, text);
            }
          });
    }
    return new EnvironmentFields(Labels.of(values), secrets);
  }

  private static @Nullable String variable(
      ObjectCursor entry, TreeMap<String, String> values, TreeMap<String, SecretKey> secrets) {
    String name = entry.requiredText(NAME, Names::requireEnvironmentName);
    String value = entry.text("value");
    ObjectCursor from = entry.object(FROM, "the source of a value");
    if (!name.isEmpty() && (values.containsKey(name) || secrets.containsKey(name))) {
      entry.refuse(NAME, "is there twice");
    }
    if (from == null) {
      values.put(name, value == null ? "" : value);
    } else {
      if (value != null) {
        entry.refuse(FROM, "excludes value");
      }
      SecretKey key = secret(from);
      if (key != null) {
        secrets.put(name, key);
      }
    }
    entry.end();
    return null;
  }

  /** Also reads the shorter word that Kubernetes uses for whole secrets. */
  private static @Nullable SecretKey secret(ObjectCursor from) {
    String word = from.has("secretRef") && !from.has(SECRET) ? "secretRef" : SECRET;
    SecretKey key = null;
    ObjectCursor reference = from.object(word, "a key of a secret");
    if (reference == null) {
      from.refuse(SECRET, "is required");
    } else {
      String secret = reference.requiredText(NAME, Names::requireSubdomain);
      String ofIt = reference.requiredText("key", SecretKey::requireKey);
      reference.refuseUnsupported("optional");
      reference.end();
      if (!secret.isEmpty() && !ofIt.isEmpty()) {
        key = new SecretKey(secret, ofIt);
      }
    }
    from.refuseUnsupported("configMapKeyRef", "fieldRef", "resourceFieldRef", "fileKeyRef");
    from.end();
    return key;
  }

  /** These variables, and the others whose names are not among them. */
  EnvironmentFields over(EnvironmentFields others) {
    TreeMap<String, String> both = new TreeMap<>(others.values.entries());
    TreeMap<String, SecretKey> kept = new TreeMap<>(others.secrets);
    both.keySet().removeAll(secrets.keySet());
    kept.keySet().removeAll(values.entries().keySet());
    both.putAll(values.entries());
    kept.putAll(secrets);
    return new EnvironmentFields(Labels.of(both), kept);
  }

  void refuseTooMuch(ObjectCursor cursor) {
    int count = values.entries().size() + secrets.size();
    if (count > VARIABLES_MAX) {
      cursor.refuse(FIELD, "has " + count + " entries with the spec's: at most " + VARIABLES_MAX);
    }
    List<String> texts = new ArrayList<>(values.entries().keySet());
    texts.addAll(values.entries().values());
    if (TemplateFields.exceeds(texts)) {
      cursor.refuse(FIELD, "has more than " + TemplateFields.BYTES_MAX + " bytes");
    }
  }

  /** Writes the field: a map, or a list if there are secrets. */
  static void put(ObjectNode owner, PodTemplate template) {
    if (template.secrets().isEmpty()) {
      FieldWriter.putLabels(owner, FIELD, template.environment());
      return;
    }
    ArrayNode list = owner.putArray(FIELD);
    template
        .environment()
        .entries()
        .forEach((name, value) -> list.addObject().put(NAME, name).put("value", value));
    template.secrets().forEach((name, key) -> put(list, name, key));
  }

  /** Writes an entry of Kubernetes' list that refers to a secret. */
  public static void put(ArrayNode list, String name, SecretKey key) {
    list.addObject()
        .put(NAME, name)
        .putObject(FROM)
        .putObject(SECRET)
        .put(NAME, key.secret())
        .put("key", key.key());
  }
}
