// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.QueueLabels;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes submitted Kubernetes jobs as suspended manifests for Kueue. */
public final class KueueJobs {
  private static final Set<String> SUSPENDED =
      Set.of("Job", "JobSet", "RayJob", "RayCluster", "TrainJob");

  private KueueJobs() {}

  /**
   * The documents of a job, suspended and with Kueue's label; none if it was submitted as a spec of
   * ours.
   *
   * @param stored its manifest as it is stored
   * @param queue the LocalQueue that it waits in
   */
  public static List<ObjectNode> give(String stored, String namespace, String queue) {
    if (!ForeignReader.isStored(stored)) {
      return List.of();
    }
    List<ObjectNode> given = new ArrayList<>();
    for (ForeignJob job : ForeignReader.readAll(stored)) {
      job.belongings().forEach(one -> given.add(placed(one, namespace)));
      for (ObjectNode original : job.originals()) {
        ObjectNode document = placed(original, namespace);
        ObjectNode labels = document.withObjectProperty("metadata").withObjectProperty("labels");
        labels.remove(QueueLabels.OURS);
        labels.put(QueueLabels.KUEUES, queue);
        if (SUSPENDED.contains(job.kind().word())) {
          document.withObjectProperty("spec").put("suspend", true);
        }
        given.add(document);
      }
    }
    return given;
  }

  private static ObjectNode placed(ObjectNode document, String namespace) {
    ObjectNode placed = document.deepCopy();
    placed.withObjectProperty("metadata").put("namespace", namespace);
    return placed;
  }
}
