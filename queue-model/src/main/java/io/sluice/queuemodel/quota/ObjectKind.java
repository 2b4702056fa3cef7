// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import java.util.Locale;

/** The kinds of quota objects, in the order in which one may refer to another before it. */
public enum ObjectKind {
  TOPOLOGY("Topology", false),
  RESOURCE_FLAVOR("ResourceFlavor", false),
  COHORT("Cohort", false),
  CLUSTER_QUEUE("ClusterQueue", false),
  LOCAL_QUEUE("LocalQueue", true),
  WORKLOAD_PRIORITY_CLASS("WorkloadPriorityClass", false),
  COMPUTE_CLASS("ComputeClass", false),
  BOOKING("Booking", false),
  OUTAGE("Outage", false),
  TEAM("Team", false),
  ROLE_BINDING("RoleBinding", false);

  private final String kind;
  private final boolean namespaced;

  ObjectKind(String kind, boolean namespaced) {
    this.kind = kind;
    this.namespaced = namespaced;
  }

  /** The word in manifests. */
  public String kind() {
    return kind;
  }

  /** The plural in lower case, as in paths. */
  public String plural() {
    String singular = kind.toLowerCase(Locale.ROOT);
    if (singular.endsWith("y")) {
      return singular.substring(0, singular.length() - 1) + "ies";
    }
    return singular.endsWith("s") ? singular + "es" : singular + "s";
  }

  public boolean namespaced() {
    return namespaced;
  }

  @Override
  public String toString() {
    return kind;
  }
}
