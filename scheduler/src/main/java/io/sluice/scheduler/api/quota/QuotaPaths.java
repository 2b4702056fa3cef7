// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.scheduler.api.ProblemException;

/** The plural of each kind, as in paths. */
final class QuotaPaths {
  /** A pattern of all plurals, for a path. */
  static final String PATTERN =
      "topologies|resourceflavors|cohorts|clusterqueues|localqueues|workloadpriorityclasses|computeclasses"
          + "|bookings|outages|teams|rolebindings";

  private QuotaPaths() {}

  static ObjectKind kind(String plural) {
    for (ObjectKind kind : ObjectKind.values()) {
      if (kind.plural().equals(plural)) {
        return kind;
      }
    }
    throw ProblemException.notFound("there are no " + plural);
  }
}
