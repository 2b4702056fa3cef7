// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ForeignJob;
import io.sluice.manifests.PodSetPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells the pods of a group that has several slices which of them each is on: the first as many as
 * a slice has hosts are on the first one, and so on. Pods stand in the order of the index that all
 * of them say, else of their names, numbers as numbers, else as they were written.
 */
final class GroupSlices {
  private static final String INDEX = "kueue.x-k8s.io/pod-group-pod-index";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final ForeignJob job;
  private final List<ObjectNode> originals;

  private GroupSlices(ForeignJob job) {
    this.job = job;
    this.originals = job.originals();
  }

  /**
   * What a pod was given.
   *
   * @param document its number
   * @param admitted what its pod set was
   */
  static AdmittedPodSet of(ForeignJob job, int document, AdmittedPodSet admitted) {
    if (admitted.slices().size() < 2) {
      return admitted;
    }
    List<Integer> pods = new GroupSlices(job).pods(admitted.name());
    int place = pods.indexOf(document);
    if (place < 0 || pods.size() % admitted.slices().size() != 0) {
      return admitted;
    }
    int each = pods.size() / admitted.slices().size();
    return new AdmittedPodSet(
        admitted.name(),
        admitted.count(),
        admitted.nodeLabels(),
        admitted.tolerations(),
        List.of(admitted.slices().get(place / each)),
        admitted.annotations());
  }

  /** The documents of a pod set, in the order of its pods. */
  private List<Integer> pods(String podSet) {
    List<Integer> pods = new ArrayList<>();
    for (PodSetPlace place : job.places()) {
      if (place.podSet().equals(podSet)) {
        pods.add(place.document());
      }
    }
    boolean indexed = pods.stream().allMatch(pod -> NUMBER.matcher(index(pod)).matches());
    pods.sort(
        indexed
            ? Comparator.comparing(pod -> Long.parseLong(index(pod)))
            : Comparator.comparing(this::name));
    return pods;
  }

  private String index(int pod) {
    return metadata(pod).path("labels").path(INDEX).asText();
  }

  /** Its name with numbers of one length, so that they stand in their order as text. */
  private String name(int pod) {
    Matcher numbers = NUMBER.matcher(metadata(pod).path("name").asText());
    return numbers.replaceAll(number -> "%018d".formatted(Long.parseLong(number.group())));
  }

  private JsonNode metadata(int pod) {
    return originals.get(pod).path("metadata");
  }
}
