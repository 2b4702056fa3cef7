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
 */
record PodPlan(String name, String host, PodTemplate template, SortedMap<String, String> identity) {
  PodPlan {
    identity = Collections.unmodifiableSortedMap(new TreeMap<>(identity));
  }

  /** As {@code pod main-0 on host h1}. */
  String named() {
    return "pod " + name + " on host " + host;
  }
}
