// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.manifests.document.Path;
import io.sluice.manifests.field.AffinityFields;
import io.sluice.manifests.field.LabelFields;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.field.TaintFields;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pod set read from a Kubernetes pod template. Of a template only that is looked at what
 * admission asks about; the rest is Kubernetes' to understand.
 *
 * @param podSpec path of the template's spec
 * @param graceSeconds how long its pods may take to end; null: as Kubernetes has it
 * @param deadlineSeconds how long its pods may run, by their own spec; null: for ever
 */
record ForeignPods(
    PodSetSpec podSet,
    Path podSpec,
    @Nullable Integer graceSeconds,
    @Nullable Integer deadlineSeconds) {
  private static final int SECONDS_MAX = 365 * 24 * 3600;
  private static final int IMAGE_LENGTH_MAX = 1024;

  /**
   * The pods of a template.
   *
   * @param template cursor over what holds metadata and spec of the pods
   * @param name of the pod set; it becomes a violation if it is no DNS label
   * @param minCount null: all are needed
   */
  static ForeignPods read(
      ObjectCursor template, String name, int count, @Nullable Integer minCount) {
    ObjectCursor metadata = template.objectOrEmpty("metadata", "metadata");
    ObjectCursor spec = template.objectOrEmpty("spec", "a pod's spec");
    try {
      Names.requireLabel(name);
    } catch (InvalidValueException problem) {
      template.violations().add(template.path(), name, String.valueOf(problem.getMessage()));
    }
    TopologyAnnotations topology =
        new TopologyAnnotations(
            MetadataReader.annotations(metadata),
            metadata.path("annotations"),
            metadata.violations());
    PodSetSpec podSet =
        new PodSetSpec(
            name,
            count,
            template(spec, PodRequests.of(spec)),
            minCount,
            topology.read(count),
            topology.group());
    return new ForeignPods(
        podSet,
        spec.path(),
        spec.whole("terminationGracePeriodSeconds", 0, SECONDS_MAX),
        spec.whole("activeDeadlineSeconds", 1, SECONDS_MAX));
  }

  private static PodTemplate template(ObjectCursor spec, ResourceList requests) {
    return new PodTemplate(
        image(spec),
        List.of(),
        Labels.NONE,
        Collections.emptySortedMap(),
        requests,
        LabelFields.labels(spec, "nodeSelector", Schema.LABELS_MAX),
        TaintFields.ofPod(spec),
        AffinityFields.ofPod(spec));
  }

  /** The image of the first container, to be shown; null if it has none that could be. */
  private static @Nullable String image(ObjectCursor spec) {
    String image =
        spec.items("containers", Integer.MAX_VALUE).stream()
            .findFirst()
            .map(container -> container.path("image").asText())
            .orElse("");
    return image.isBlank() || image.length() > IMAGE_LENGTH_MAX ? null : image;
  }
}
