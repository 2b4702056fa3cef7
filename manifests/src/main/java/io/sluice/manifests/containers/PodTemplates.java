// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.PodSetPlace;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds the pod templates in the documents of a job. */
final class PodTemplates {
  private final List<ObjectNode> documents;
  private final Map<String, List<PodSetPlace>> places;

  PodTemplates(ForeignJob job) {
    this.documents = job.originals();
    this.places =
        job.places().stream()
            .collect(Collectors.groupingBy(PodSetPlace::podSet, TreeMap::new, Collectors.toList()));
  }

  /** What holds metadata and spec of a pod. */
  JsonNode template(String podSet, int ordinal) {
    return template(place(podSet, ordinal));
  }

  /** What holds metadata and spec of the pods of a place. */
  JsonNode template(PodSetPlace place) {
    return document(place).at(pointer(place));
  }

  /** The document in which a place is. */
  JsonNode document(PodSetPlace place) {
    return documents.get(place.document());
  }

  /**
   * The place of a pod: the one of its pod set, or of pods that stand one by one its own.
   *
   * @throws IllegalArgumentException if the job has no such pod set
   */
  PodSetPlace place(String podSet, int ordinal) {
    List<PodSetPlace> found = places.get(podSet);
    if (found == null) {
      throw new IllegalArgumentException("no pod set " + podSet);
    }
    return found.get(Math.min(ordinal, found.size() - 1));
  }

  /** The path of a field of a place's pods, as {@code spec.template.spec.containers[0].command}. */
  static String path(PodSetPlace place, String field) {
    String path =
        pointer(place).replaceAll("/([0-9]+)(?=/|$)", "[$1]").replace('/', '.') + "." + field;
    return path.substring(1);
  }

  private static String pointer(PodSetPlace place) {
    String pointer = place.template();
    if (pointer == null) {
      throw new IllegalArgumentException("pods of " + place.podSet() + " have no template");
    }
    return pointer;
  }
}
