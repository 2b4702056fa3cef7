// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.SelectorFields;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.List;

/** Reads and writes the defaults of a ComputeClass, a map in an annotation. */
public final class ClassDefaultsFields {
  private ClassDefaultsFields() {}

  /**
   * The defaults. The selectors of a class that was stored are left out: what its accelerators mean
   * is stored beside it.
   */
  static ClassDefaults read(ObjectCursor top, ObjectMeta meta, ReadingTerms terms) {
    String text = meta.annotations().get(ComputeClass.DEFAULTS_ANNOTATION);
    if (text == null) {
      return ClassDefaults.NONE;
    }
    Violations violations = top.violations();
    Path path = top.path("metadata").field("annotations").key(ComputeClass.DEFAULTS_ANNOTATION);
    List<Document> documents = TextDocuments.splitYaml(text);
    if (documents.size() != 1
        || !documents.get(0).violations().isEmpty()
        || !documents.get(0).root().isObject()) {
      violations.add(path, text, "must be a map of queue, priorityClass and selectors");
      return ClassDefaults.NONE;
    }
    ObjectCursor cursor =
        ObjectCursor.open(documents.get(0).root(), path, "a class's defaults", violations);
    return cursor == null ? ClassDefaults.NONE : read(cursor, terms);
  }

  private static ClassDefaults read(ObjectCursor cursor, ReadingTerms terms) {
    String queue = cursor.text("queue", Names::requireSubdomain);
    String priorityClass = cursor.text("priorityClass", Names::requireSubdomain);
    List<List<Requirement>> selectors = null;
    if (terms.trusting()) {
      cursor.ignore("selectors");
    } else {
      selectors = SelectorFields.read(cursor, terms);
    }
    cursor.end();
    return new ClassDefaults(queue, priorityClass, selectors == null ? List.of() : selectors);
  }

  /** The defaults that there are, as the annotation has them. */
  public static ObjectNode write(ClassDefaults defaults) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    FieldWriter.putText(json, "queue", defaults.queue());
    FieldWriter.putText(json, "priorityClass", defaults.priorityClass());
    SelectorFields.put(json, NodeAffinity.ANY.choosing(defaults.selectors()));
    return json;
  }
}
