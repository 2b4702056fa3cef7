// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.manifests.document.Violations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the pod sets of a foreign job. */
final class ForeignPodSets {
  static final int PODS_MAX = 100_000;

  private final List<ForeignPods> pods = new ArrayList<>();
  private final List<PodSetPlace> places = new ArrayList<>();
  private final List<ElasticRange> elastic = new ArrayList<>();
  private @Nullable Integer limitSeconds;

  /** Takes a pod set, which must have a name of its own, and where it stands. */
  void add(ForeignPods read, PodSetPlace place, Violations violations) {
    String name = read.podSet().name();
    if (pods.stream().anyMatch(other -> other.podSet().name().equals(name))) {
      violations.add(read.podSpec(), name, "is of a pod set that is there twice");
    }
    if (read.podSet().count() > PODS_MAX) {
      violations.add(
          read.podSpec(), "", "is of " + read.podSet().count() + " pods: at most " + PODS_MAX);
    }
    pods.add(read);
    places.add(place);
  }

  void addPlace(PodSetPlace place) {
    places.add(place);
  }

  void addElastic(ElasticRange range) {
    elastic.add(range);
  }

  /** How long an attempt may run; the shortest of what is said counts. */
  void limit(@Nullable Integer seconds) {
    if (seconds != null) {
      limitSeconds = limitSeconds == null ? seconds : Math.min(limitSeconds, seconds);
    }
  }

  List<ForeignPods> pods() {
    return pods;
  }

  List<PodSetPlace> places() {
    return places;
  }

  List<ElasticRange> elastic() {
    return elastic;
  }

  @Nullable Integer limitSeconds() {
    return limitSeconds;
  }
}
