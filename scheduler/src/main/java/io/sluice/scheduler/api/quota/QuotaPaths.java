// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.scheduler.api.ProblemException;
import java.util.Locale;

/** The plural of each kind, as in paths. */
final class QuotaPaths {
  /** A pattern of all plurals, for a path. */
  static final String PATTERN =
      "topologies|resourceflavors|cohorts|clusterqueues|localqueues|workloadpriorityclasses|computeclasses"
          + "|bookings|outages|teams|rolebindings";

  private QuotaPaths() {}

  static ObjectKind kind(String plural) {
    for (ObjectKind kind : ObjectKind.values()) {
      if (plural(kind).equals(plural)) {
        return kind;
      }
    }
    throw ProblemException.notFound("there are no " + plural);
  }

  static String plural(ObjectKind kind) {
    String singular = kind.kind().toLowerCase(Locale.ROOT);
    if (singular.endsWith("y")) {
      return singular.substring(0, singular.length() - 1) + "ies";
    }
    return singular.endsWith("s") ? singular + "es" : singular + "s";
  }
}
