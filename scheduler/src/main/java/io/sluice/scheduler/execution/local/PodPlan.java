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

  /** The same pod, which runs the program of a container; its index is the container's own. */
  PodPlan running(PodTemplate program) {
    TreeMap<String, String> own = new TreeMap<>(identity);
    own.remove("JOB_COMPLETION_INDEX");
    return new PodPlan(name, host, program, own, meeting);
  }

  /** The pod set that it is of; its name ends with its ordinal. */
  String podSet() {
    return podSetOf(name);
  }

  /** The pod set that a name of a pod begins with; empty if it is no such name. */
  static String podSetOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('-')));
  }

  /** Its ordinal in its pod set, from 0. */
  int ordinal() {
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
  }

  /** As {@code pod main-0 on host h1}. */
  String named() {
    return "pod " + name + " on host " + host;
  }
}
