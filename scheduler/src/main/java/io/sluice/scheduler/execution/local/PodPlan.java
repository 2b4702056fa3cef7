// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.PodTemplate;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A pod of an attempt and its host.
 *
 * @param host name of the host in the fleet
 * @param identity environment variables that identify the pod; they override the user's
 * @param meeting environment variables of the rendezvous; the user's override them
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

  /** Creates a pod without a rendezvous. */
  PodPlan(String name, String host, PodTemplate template, SortedMap<String, String> identity) {
    this(name, host, template, identity, Collections.emptySortedMap());
  }

  /** Returns the pod with a rendezvous. */
  PodPlan with(SortedMap<String, String> variables) {
    return new PodPlan(name, host, template, identity, variables);
  }

  /** Returns the pod with the program of a container; its index is the container's own. */
  PodPlan running(PodTemplate program) {
    TreeMap<String, String> own = new TreeMap<>(identity);
    own.remove("JOB_COMPLETION_INDEX");
    return new PodPlan(name, host, program, own, meeting);
  }

  /** Returns its pod set; the pod's name ends with its ordinal. */
  String podSet() {
    return podSetOf(name);
  }

  /** Returns the pod set in the name of a pod; empty if it is not such a name. */
  static String podSetOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('-')));
  }

  /** Returns its ordinal in its pod set, from 0. */
  int ordinal() {
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
  }

  /** Returns it as {@code pod main-0 on host h1}. */
  String named() {
    return "pod " + name + " on host " + host;
  }
}
