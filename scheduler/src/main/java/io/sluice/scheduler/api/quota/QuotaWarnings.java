// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.admission.plan.DatedConflicts;
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
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Warns if the nominal quota of all ClusterQueues and Cohorts together exceeds the fleet. Such
 * quota is allowed, but the fleet cannot guarantee it. Names the bookings for which the quota does
 * not suffice any more, and the attempts that run on in bookings and outages, too.
 */
@Singleton
public class QuotaWarnings {
  /** Maximum number of objects of a kind that are added up; beyond it there are no warnings. */
  private static final int OBJECTS_MAX = 5_000;

  private static final int SHOWN_MAX = 20;
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final QuotaAdministration administration;
  private final CommittedView view;
  private final Clock clock = Clock.systemUTC();

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
    List<ClusterQueue> queues = all(ClusterQueue.class, ObjectKind.CLUSTER_QUEUE);
    List<Cohort> cohorts = all(Cohort.class, ObjectKind.COHORT);
    Map<String, Map<ResourceName, BigInteger>> nominal = nominal(queues, cohorts);
    for (ResourceFlavor flavor : all(ResourceFlavor.class, ObjectKind.RESOURCE_FLAVOR)) {
      nominal
          .getOrDefault(flavor.meta().name(), Map.of())
          .forEach((resource, quota) -> warn(flavor, resource, quota, amounts, warnings));
    }
    List<DatedObject> dated = new ArrayList<>(all(DatedObject.class, ObjectKind.BOOKING));
    dated.addAll(all(DatedObject.class, ObjectKind.OUTAGE));
    dated.removeIf(one -> !one.period().until().isAfter(clock.instant()));
    if (!dated.isEmpty()) {
      DatedConflicts.beyondQuota(queues, cohorts, dated)
          .forEach(found -> warnings.add(beyondQuota(found)));
      warnings.addAll(
          view.ask(
                  state ->
                      dated.stream().flatMap(one -> DatedWarnings.of(state, one).stream()).toList())
              .value());
    }
    return warnings;
  }

  private static String beyondQuota(DatedConflicts.Conflict found) {
    return "%s: %s %s %s".formatted(found.object(), found.field(), found.value(), found.message());
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
  private static Map<String, Map<ResourceName, BigInteger>> nominal(
      List<ClusterQueue> queues, List<Cohort> cohorts) {
    Map<String, Map<ResourceName, BigInteger>> sums = new TreeMap<>();
    queues.forEach(queue -> add(queue.resourceGroups(), sums));
    cohorts.forEach(cohort -> add(cohort.resourceGroups(), sums));
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
  private <T extends QuotaObject> List<T> all(Class<T> type, ObjectKind kind) {
    List<StoredObject> found = administration.list(kind, null, OBJECTS_MAX + 1);
    return found.size() > OBJECTS_MAX
        ? List.of()
        : found.stream().map(one -> type.cast(one.object())).toList();
  }
}
