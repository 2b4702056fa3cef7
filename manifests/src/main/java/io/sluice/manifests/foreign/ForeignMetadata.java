// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.manifests.field.LabelFields;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.QueueLabels;
import io.sluice.manifests.field.Schema;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.JobSpec.PrioritySpec;
import io.sluice.queuemodel.job.JobSpec.Queueing;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the metadata of a foreign job: name, queue, priority class. */
public final class ForeignMetadata {
  static final String GROUP = "kueue.x-k8s.io/pod-group-name";
  static final String GROUP_COUNT = "kueue.x-k8s.io/pod-group-total-count";

  /** The LocalQueue of who names none: that by which Kueue's defaulting goes. */
  public static final String DEFAULT_QUEUE = "default";

  private static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";
  private static final String PREEMPTIBLE = "sluice.io/preemptible";
  private static final Pattern PREFIX_END = Pattern.compile("[-.]+$");

  private final ObjectCursor metadata;
  private final ObjectMeta meta;

  private ForeignMetadata(ObjectCursor metadata, ObjectMeta meta) {
    this.metadata = metadata;
    this.meta = meta;
  }

  static ForeignMetadata read(ObjectCursor top) {
    ObjectCursor metadata = top.objectOrEmpty("metadata", "metadata");
    String namespace = metadata.text("namespace", Names::requireLabel);
    Labels labels = LabelFields.labels(metadata, "labels", Schema.LABELS_MAX);
    ObjectMeta meta =
        new ObjectMeta(
            namespace == null ? Schema.DEFAULT_NAMESPACE : namespace,
            name(metadata),
            labels,
            MetadataReader.annotations(metadata));
    return new ForeignMetadata(metadata, meta);
  }

  /** The name, or what names are to be made of. */
  private static String name(ObjectCursor metadata) {
    String prefix = metadata.text("generateName");
    if (prefix == null || metadata.has("name")) {
      return metadata.requiredText("name", Names::requireSubdomain);
    }
    String name = PREFIX_END.matcher(prefix).replaceAll("");
    try {
      return Names.requireSubdomain(name);
    } catch (InvalidValueException problem) {
      metadata.refuse("generateName", problem);
      return "";
    }
  }

  ObjectMeta meta() {
    return meta;
  }

  /** The same with a group's name, under which all of its pods are one job. */
  ObjectMeta grouped(String group) {
    return new ObjectMeta(meta.namespace(), group, meta.labels(), meta.annotations());
  }

  /** The group that a pod is of; null: it is by itself. */
  @Nullable String group() {
    return label(GROUP);
  }

  /** How many pods the group has, as this one says; 0 if it says nothing that could be. */
  int groupCount() {
    String written = meta.annotations().get(GROUP_COUNT);
    Integer count = MetadataReader.whole(written);
    if (count != null && count > 0) {
      return count;
    }
    refuse(
        "annotations",
        GROUP_COUNT,
        written,
        "must be the number of pods in the group, which has to be said");
    return 0;
  }

  Queueing queueing() {
    return new Queueing(queue(), new PrioritySpec(label(PRIORITY_CLASS), preemptible()), false);
  }

  private String queue() {
    String kueues = label(QueueLabels.KUEUES);
    String ours = label(QueueLabels.OURS);
    if (kueues != null && ours != null && !kueues.equals(ours)) {
      refuse(
          "labels",
          QueueLabels.OURS,
          ours,
          "must equal the label " + QueueLabels.KUEUES + ", which is " + kueues);
    }
    String queue = ours == null ? kueues : ours;
    return queue == null ? DEFAULT_QUEUE : queue;
  }

  /** The name of an object that a label says; null if it says none that could be. */
  private @Nullable String label(String key) {
    String value = meta.labels().get(key);
    if (value == null) {
      return null;
    }
    try {
      return Names.requireSubdomain(value);
    } catch (InvalidValueException problem) {
      refuse("labels", key, value, String.valueOf(problem.getMessage()));
      return null;
    }
  }

  private @Nullable Boolean preemptible() {
    String written = meta.annotations().get(PREEMPTIBLE);
    if (written == null) {
      return null;
    }
    if (!written.equals("true") && !written.equals("false")) {
      refuse("annotations", PREEMPTIBLE, written, "must be \"true\" or \"false\"");
    }
    return written.equals("true");
  }

  void refuse(String field, String key, @Nullable String value, String message) {
    metadata.violations().add(metadata.path(field).key(key), value == null ? "" : value, message);
  }
}
