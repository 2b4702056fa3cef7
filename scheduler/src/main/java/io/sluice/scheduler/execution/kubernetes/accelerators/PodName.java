// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.accelerators;

import java.util.Comparator;

/** Namespace and name of a pod in one cluster. */
record PodName(String namespace, String name) implements Comparable<PodName> {
  private static final Comparator<PodName> ORDER =
      Comparator.comparing(PodName::namespace).thenComparing(PodName::name);

  @Override
  public int compareTo(PodName other) {
    return ORDER.compare(this, other);
  }
}
