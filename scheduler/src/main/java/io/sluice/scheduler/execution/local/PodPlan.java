// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.PodTemplate;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One pod of an attempt, with its place.
 *
 * @param host name of the fleet's host
 * @param identity who the pod is, as environment variables; wins over the user's
 * @param meeting where the pods of the attempt meet, likewise; the user's wins over it
 */
record PodPlan(
    String name,
    String host,
    PodTemplate template,
    SortedMap<String, String> identity,
    SortedMap<String, String> meeting) {
  PodPlan {
    identity = Collections.unmodifiableSortedMap(new TreeMap<>(identity));
    meeting = Collections.unmodifiableSortedMap(new TreeMap<>(meeting));
  }

  /** A pod that is told nothing of others. */
  PodPlan(String name, String host, PodTemplate template, SortedMap<String, String> identity) {
    this(name, host, template, identity, Collections.emptySortedMap());
  }

  /** The same pod, told where it meets the others. */
  PodPlan with(SortedMap<String, String> variables) {
    return new PodPlan(name, host, template, identity, variables);
  }

  /** As {@code pod main-0 on host h1}. */
  String named() {
    return "pod " + name + " on host " + host;
  }
}
