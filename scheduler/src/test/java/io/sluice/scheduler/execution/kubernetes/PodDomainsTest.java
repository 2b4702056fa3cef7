// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.sluice.manifests.rendering.AdmittedDomain;
import io.sluice.manifests.rendering.AdmittedPodSet;
import io.sluice.queuemodel.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PodDomainsTest {
  private static final String INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String HOST = "kubernetes.io/hostname";

  private static AdmittedPodSet onHosts(int... counts) {
    int all = 0;
    List<AdmittedDomain> domains = new ArrayList<>();
    for (int number = 0; number < counts.length; number++) {
      all += counts[number];
      domains.add(new AdmittedDomain(Labels.of(Map.of(HOST, "host-" + number)), counts[number]));
    }
    return new AdmittedPodSet("main", all, Labels.NONE, List.of(), List.of(), Labels.NONE, domains);
  }

  private static Pod pod(String name, Map<String, String> labels, Map<String, String> selected) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withUid(name)
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .withNodeSelector(selected)
        .endSpec()
        .build();
  }

  private static Pod waiting(String name) {
    return pod(name, Map.of(), Map.of());
  }

  private static Pod indexed(int index) {
    return pod("pod-" + index, Map.of(INDEX, Integer.toString(index)), Map.of());
  }

  private static Pod there(String name, String host) {
    return pod(name, Map.of(), Map.of("pool", "a", HOST, host));
  }

  private static Map<String, String> hosts(Map<String, AdmittedDomain> chosen) {
    TreeMap<String, String> hosts = new TreeMap<>();
    chosen.forEach((pod, domain) -> hosts.put(pod, domain.nodeLabels().get(HOST)));
    return hosts;
  }

  @Test
  void podsWithoutRanksFillTheDomainsOneAfterAnother() {
    PodDomains domains = new PodDomains(onHosts(2, 1), List.of());
    assertThat(hosts(domains.choose(List.of(waiting("c"), waiting("a"), waiting("b")))))
        .isEqualTo(Map.of("a", "host-0", "b", "host-0", "c", "host-1"));
  }

  @Test
  void aPodThatComesLaterGoesWhereTheOthersAreNot() {
    PodDomains domains =
        new PodDomains(onHosts(2, 1), List.of(there("a", "host-1"), there("b", "host-0")));
    assertThat(hosts(domains.choose(List.of(waiting("c"))))).isEqualTo(Map.of("c", "host-0"));
  }

  @Test
  void podsOfAnIndexedJobGoByTheirRanksInWhateverOrderTheyCome() {
    PodDomains domains = new PodDomains(onHosts(2, 2), List.of());
    assertThat(hosts(domains.choose(List.of(indexed(3), indexed(1)))))
        .isEqualTo(Map.of("pod-1", "host-0", "pod-3", "host-1"));
  }

  @Test
  void podsOfTheSecondJobOfAJobSetComeAfterThoseOfTheFirst() {
    PodDomains domains = new PodDomains(onHosts(2, 2), List.of());
    List<Pod> pods = new ArrayList<>();
    for (int job = 1; job >= 0; job--) {
      for (int index = 1; index >= 0; index--) {
        pods.add(
            pod(
                "job-" + job + "-" + index,
                Map.of(
                    INDEX,
                    Integer.toString(index),
                    "jobset.sigs.k8s.io/job-index",
                    Integer.toString(job),
                    "jobset.sigs.k8s.io/replicatedjob-replicas",
                    "2"),
                Map.of()));
      }
    }
    assertThat(hosts(domains.choose(pods)))
        .isEqualTo(
            Map.of(
                "job-0-0", "host-0", "job-0-1", "host-0", "job-1-0", "host-1", "job-1-1",
                "host-1"));
  }

  @Test
  void whoTakesAnothersPlaceWaitsUntilThereIsOne() {
    List<Pod> there = List.of(there("a", "host-0"), there("b", "host-1"));
    assertThat(new PodDomains(onHosts(1, 1), there).choose(List.of(waiting("c")))).isEmpty();
  }

  @Test
  void aPodOfMoreThanThereShouldBeFindsNoRoom() {
    PodDomains domains = new PodDomains(onHosts(1, 1), List.of());
    assertThat(hosts(domains.choose(List.of(indexed(0), indexed(1), indexed(2)))))
        .isEqualTo(Map.of("pod-0", "host-0", "pod-1", "host-1"));
  }
}
