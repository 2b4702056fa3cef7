// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.foreign.PodSetPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Assigns the pods of a group to several slices or domains, in order: the first pods fill the first
 * one, and so on. Pods stand in the order of the index that all of them say, else of their names,
 * numbers as numbers, else as they were written.
 */
final class GroupPlaces {
  private static final String INDEX = "kueue.x-k8s.io/pod-group-pod-index";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final ForeignJob job;
  private final List<ObjectNode> originals;

  private GroupPlaces(ForeignJob job) {
    this.job = job;
    this.originals = job.originals();
  }

  /**
   * What a pod of a group was given; of another kind of job, what the pods of that place were.
   *
   * @param admitted what the pod set was
   */
  static AdmittedPodSet of(ForeignJob job, PodSetPlace place, AdmittedPodSet admitted) {
    int slices = admitted.slices().size();
    if (job.kind() != ForeignKind.POD || (slices < 2 && !admitted.isSpread())) {
      return admitted;
    }
    List<Integer> pods = new GroupPlaces(job).pods(admitted.name());
    int rank = pods.indexOf(place.document());
    AdmittedDomain domain = admitted.domain(rank);
    if (domain != null) {
      return admitted.in(domain);
    }
    return slices > 1 && pods.size() % slices == 0
        ? admitted.on(admitted.slices().get(rank / (pods.size() / slices)))
        : admitted;
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
