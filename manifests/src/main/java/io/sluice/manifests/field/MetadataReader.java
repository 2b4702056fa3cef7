// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code metadata}; fields that only an API server sets are ignored. */
public final class MetadataReader {
  private static final int ANNOTATIONS_BYTES_MAX = 256 * 1024;

  private MetadataReader() {}

  /**
   * The metadata of an object of the whole cluster.
   *
   * @param defaultName null: a name must be there
   */
  public static ObjectMeta global(ObjectCursor top, String kind, @Nullable String defaultName) {
    ObjectCursor metadata = top.objectOrEmpty("metadata", "metadata");
    metadata.refuseAs(
        "namespace", "is not a field of a " + kind + "'s metadata: it has no namespace");
    return read(metadata, "", defaultName);
  }

  /**
   * The metadata of an object in a namespace, which if it names none is {@code default}.
   *
   * @param defaultName null: a name must be there
   */
  public static ObjectMeta namespaced(ObjectCursor top, @Nullable String defaultName) {
    ObjectCursor metadata = top.objectOrEmpty("metadata", "metadata");
    String namespace = metadata.text("namespace", Names::requireLabel);
    return read(metadata, namespace == null ? Schema.DEFAULT_NAMESPACE : namespace, defaultName);
  }

  private static ObjectMeta read(
      ObjectCursor metadata, String namespace, @Nullable String defaultName) {
    String name =
        defaultName == null
            ? metadata.requiredText("name", Names::requireSubdomain)
            : metadata.text("name", Names::requireSubdomain);
    Labels labels = LabelFields.labels(metadata, "labels", Schema.LABELS_MAX);
    Labels annotations = annotations(metadata);
    metadata.refuseUnsupported("generateName");
    metadata.ignore(
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "finalizers",
        "managedFields",
        "ownerReferences",
        "selfLink");
    metadata.end();
    return new ObjectMeta(
        namespace, name != null ? name : String.valueOf(defaultName), labels, annotations);
  }

  /** The whole number that a label or an annotation is; null if it is none, or is not there. */
  public static @Nullable Integer whole(@Nullable String written) {
    try {
      return written == null ? null : Integer.valueOf(written);
    } catch (NumberFormatException notWhole) {
      return null;
    }
  }

  /** The annotations, none of which means anything to this reader. */
  public static Labels annotations(ObjectCursor metadata) {
    TreeMap<String, String> annotations = new TreeMap<>();
    long[] bytes = {0};
    metadata.entries(
        "annotations",
        Schema.LABELS_MAX,
        Names::requireQualified,
        (key, value, path, scalars) -> {
          String text = scalars.text(value, path);
          if (text != null) {
            annotations.put(key, text);
            bytes[0] += key.length() + (long) text.getBytes(StandardCharsets.UTF_8).length;
          }
        });
    if (bytes[0] > ANNOTATIONS_BYTES_MAX) {
      metadata.refuse(
          "annotations", "are " + bytes[0] + " bytes: at most " + ANNOTATIONS_BYTES_MAX);
    }
    return Labels.of(annotations);
  }
}
