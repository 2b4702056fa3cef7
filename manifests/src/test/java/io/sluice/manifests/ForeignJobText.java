// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.TopologyFields;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSetSpec;

/** All that was read of a foreign job, as YAML that can be looked at. */
final class ForeignJobText {
  private ForeignJobText() {}

  static String of(ForeignJob job) {
    JobSpec spec = job.spec();
    ObjectNode text = JsonNodeFactory.instance.objectNode();
    text.put("kind", job.kind().word());
    text.put("name", spec.meta().namespace() + "/" + spec.meta().name());
    FieldWriter.putLabels(text, "labels", spec.meta().labels());
    FieldWriter.putLabels(text, "annotations", spec.meta().annotations());
    text.put("queue", spec.queue());
    text.put("priority", spec.priority().toString());
    text.put("limits", spec.limits().toString());
    text.put("accelerator", spec.accelerator() + "");
    if (spec.accelerator() != null) {
      text.put("hostsPerSlice", spec.accelerator().hostsPerSlice());
    }
    text.put("computeClass", spec.computeClass());
    ArrayNode podSets = text.putArray("podSets");
    spec.podSets().forEach(podSet -> put(podSets.addObject(), podSet));
    ArrayNode places = text.putArray("places");
    job.places().forEach(place -> places.add(place.toString()));
    ArrayNode elastic = text.putArray("elastic");
    job.elastic().forEach(range -> elastic.add(range.toString()));
    ArrayNode belongings = text.putArray("belongings");
    job.belongings()
        .forEach(
            one ->
                belongings.add(
                    one.path("kind").asText() + " " + one.path("metadata").path("name").asText()));
    return ManifestWriter.writeYaml(text);
  }

  private static void put(ObjectNode entry, PodSetSpec podSet) {
    entry.put("name", podSet.name()).put("count", podSet.count());
    entry.put("minCount", podSet.minCount());
    entry.put("image", podSet.template().image());
    FieldWriter.putResources(entry, "requests", podSet.template().requests());
    FieldWriter.putLabels(entry, "nodeSelector", podSet.template().nodeSelector());
    FieldWriter.putTolerations(entry, "tolerations", podSet.template().tolerations());
    entry.put("affinity", podSet.template().affinity().toString());
    TopologyFields.put(entry, podSet);
  }
}
