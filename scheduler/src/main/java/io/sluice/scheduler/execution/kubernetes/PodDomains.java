// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.manifests.rendering.AdmittedDomain;
import io.sluice.manifests.rendering.AdmittedPodSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the waiting pods of a pod set to the domains of its placement. A pod with a rank, such as
 * a worker of an Indexed Job, goes to the domain of its rank; any other pod goes to the first
 * domain with room. No domain holds more pods at a time than were placed there; a replacement gets
 * its place when the earlier pod has ended.
 */
final class PodDomains {
  private static final String INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String JOB_INDEX = "jobset.sigs.k8s.io/job-index";
  private static final String JOBS = "jobset.sigs.k8s.io/replicatedjob-replicas";
  private static final Comparator<Pod> BY_RANK =
      Comparator.comparingInt((Pod pod) -> number(pod, JOB_INDEX, Integer.MAX_VALUE))
          .thenComparingInt(pod -> number(pod, INDEX, Integer.MAX_VALUE))
          .thenComparing(pod -> pod.getMetadata().getName());

  private final AdmittedPodSet admitted;
  private final int[] left;

  /**
   * @param there pods of the pod set that hold a place; their node selectors name the domain
   */
  PodDomains(AdmittedPodSet admitted, List<Pod> there) {
    this.admitted = admitted;
    this.left = admitted.domains().stream().mapToInt(AdmittedDomain::count).toArray();
    for (Pod pod : there) {
      Map<String, String> selected = pod.getSpec().getNodeSelector();
      for (int domain = 0; domain < left.length; domain++) {
        AdmittedDomain one = admitted.domains().get(domain);
        if (selected != null
            && selected.entrySet().containsAll(one.nodeLabels().entries().entrySet())) {
          left[domain]--;
        }
      }
    }
  }

  /** Returns the domains of waiting pods, by UID; a pod without room is left out. */
  Map<String, AdmittedDomain> choose(List<Pod> waiting) {
    List<Pod> ranked = new ArrayList<>(waiting);
    ranked.sort(BY_RANK);
    Map<String, AdmittedDomain> chosen = new LinkedHashMap<>();
    List<Pod> others = new ArrayList<>();
    for (Pod pod : ranked) {
      AdmittedDomain own = admitted.domain(rank(pod));
      if (own == null || !take(own)) {
        others.add(pod);
      } else {
        chosen.put(pod.getMetadata().getUid(), own);
      }
    }
    for (Pod pod : others) {
      AdmittedDomain any = any();
      if (any != null) {
        chosen.put(pod.getMetadata().getUid(), any);
      }
    }
    return chosen;
  }

  private boolean take(AdmittedDomain domain) {
    int number = admitted.domains().indexOf(domain);
    return left[number] > 0 && left[number]-- > 0;
  }

  private @Nullable AdmittedDomain any() {
    for (AdmittedDomain domain : admitted.domains()) {
      if (take(domain)) {
        return domain;
      }
    }
    return null;
  }

  /** Returns the pod's rank in the pod set; the pod set's size if it has none. */
  private int rank(Pod pod) {
    int index = number(pod, INDEX, -1);
    int jobs = number(pod, JOBS, 1);
    if (index < 0 || jobs < 1) {
      return admitted.count();
    }
    return number(pod, JOB_INDEX, 0) * (admitted.count() / jobs) + index;
  }

  private static int number(Pod pod, String label, int absent) {
    String text = pod.getMetadata().getLabels().get(label);
    try {
      return text == null ? absent : Integer.parseInt(text);
    } catch (NumberFormatException other) {
      return absent;
    }
  }
}
