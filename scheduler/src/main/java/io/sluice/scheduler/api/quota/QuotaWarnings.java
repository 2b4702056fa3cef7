// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.quota.StoredObject;
import io.sluice.scheduler.submission.QuotaAdministration;
import jakarta.inject.Singleton;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Warns if the nominal quota of all ClusterQueues and Cohorts together exceeds the fleet. Such
 * quota is allowed, but the fleet cannot guarantee it. Names the attempts that run on in bookings
 * and outages, too.
 */
@Singleton
public class QuotaWarnings {
  /** Maximum number of objects of a kind that are added up; beyond it there are no warnings. */
  private static final int OBJECTS_MAX = 5_000;

  private static final int SHOWN_MAX = 20;
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final QuotaAdministration administration;
  private final CommittedView view;

  QuotaWarnings(QuotaAdministration administration, CommittedView view) {
    this.administration = administration;
    this.view = view;
  }

  /** The first warnings, as answers show them; null if there are none. */
  public static @Nullable List<String> shown(List<String> warnings) {
    return warnings.isEmpty() ? null : warnings.stream().limit(SHOWN_MAX).toList();
  }

  /** The warnings for the quota objects that are stored, those of an open transaction included. */
  public List<String> find() {
    Fleet fleet = view.ask(AdmissionState::fleet).value();
    FleetAmounts amounts = new FleetAmounts(fleet);
    List<String> warnings = new ArrayList<>();
    Map<String, Map<ResourceName, BigInteger>> nominal = nominal();
    for (QuotaObject object : all(ObjectKind.RESOURCE_FLAVOR)) {
      if (object instanceof ResourceFlavor flavor) {
        nominal
            .getOrDefault(flavor.meta().name(), Map.of())
            .forEach((resource, quota) -> warn(flavor, resource, quota, amounts, warnings));
      }
    }
    for (ObjectKind kind : List.of(ObjectKind.BOOKING, ObjectKind.OUTAGE)) {
      for (QuotaObject object : all(kind)) {
        if (object instanceof DatedObject dated) {
          warnings.addAll(view.ask(state -> DatedWarnings.of(state, dated)).value());
        }
      }
    }
    return warnings;
  }

  private static void warn(
      ResourceFlavor flavor,
      ResourceName resource,
      BigInteger quota,
      FleetAmounts amounts,
      List<String> warnings) {
    if (!amounts.tells(flavor, resource)) {
      return;
    }
    BigInteger there = amounts.of(flavor, resource);
    if (quota.compareTo(there) > 0) {
      warnings.add(
          "nominal quota of %s in flavor %s is %s in all, the fleet has %s"
              .formatted(
                  resource, flavor.meta().name(), text(quota, resource), text(there, resource)));
    }
  }

  private static String text(BigInteger amount, ResourceName resource) {
    return Quantities.format(amount.min(LONG_MAX).longValueExact(), resource);
  }

  /** Nominal quota of all queues and cohorts, by flavor and resource. */
  private Map<String, Map<ResourceName, BigInteger>> nominal() {
    Map<String, Map<ResourceName, BigInteger>> sums = new TreeMap<>();
    for (QuotaObject object : all(ObjectKind.CLUSTER_QUEUE)) {
      if (object instanceof ClusterQueue queue) {
        add(queue.resourceGroups(), sums);
      }
    }
    for (QuotaObject object : all(ObjectKind.COHORT)) {
      if (object instanceof Cohort cohort) {
        add(cohort.resourceGroups(), sums);
      }
    }
    return sums;
  }

  private static void add(
      List<ResourceGroup> groups, Map<String, Map<ResourceName, BigInteger>> sums) {
    for (ResourceGroup group : groups) {
      for (FlavorQuotas quotas : group.flavors()) {
        Map<ResourceName, BigInteger> ofFlavor =
            sums.computeIfAbsent(quotas.flavor(), absent -> new TreeMap<>());
        for (ResourceQuota quota : quotas.resources()) {
          ofFlavor.merge(quota.resource(), BigInteger.valueOf(quota.nominal()), BigInteger::add);
        }
      }
    }
  }

  /** Objects of a kind; empty if there are too many to add up for an answer. */
  private List<QuotaObject> all(ObjectKind kind) {
    List<StoredObject> found = administration.list(kind, null, OBJECTS_MAX + 1);
    return found.size() > OBJECTS_MAX
        ? List.of()
        : found.stream().map(StoredObject::object).toList();
  }
}
