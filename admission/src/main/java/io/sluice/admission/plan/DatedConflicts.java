// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaForecast;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorAmounts;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.Outage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds bookings that cannot be kept, whatever runs: together with the other bookings and the
 * outages of their time they exceed the quota that their queue could use, or two of them name one
 * slice. Each booking that was there before counts first.
 */
public final class DatedConflicts {
  private static final int NAMED_MAX = 5;

  /**
   * A booking or outage that is refused.
   *
   * @param field of its manifest
   * @param message what is wrong, without the value
   */
  public record Conflict(ObjectKey object, String field, String value, String message) {}

  private final QuotaTree tree;
  private final QuotaForecast forecast;
  private final List<DatedObject> all;
  private final Fleet fleet;
  private final List<Conflict> conflicts = new ArrayList<>();

  private DatedConflicts(QuotaTree tree, List<DatedObject> all, Fleet fleet) {
    this.tree = tree;
    this.forecast = new QuotaForecast(tree);
    this.all = all;
    this.fleet = fleet;
  }

  /**
   * Returns the conflicts of some bookings and outages.
   *
   * @param dated all bookings and outages, with those to check
   * @param checked keys of those to check
   */
  public static List<Conflict> find(
      Collection<ClusterQueue> queues,
      Collection<Cohort> cohorts,
      Collection<DatedObject> dated,
      Set<ObjectKey> checked,
      Fleet fleet) {
    List<DatedObject> all = new ArrayList<>(dated);
    all.sort(
        Comparator.comparing((DatedObject one) -> checked.contains(one.key()))
            .thenComparing(DatedObject::key));
    DatedConflicts search =
        new DatedConflicts(new QuotaTree(queues, cohorts, List.of()), all, fleet);
    search.withdraw();
    for (DatedObject one : all) {
      boolean isChecked = checked.contains(one.key());
      if (isChecked) {
        search.checkNames(one);
      }
      if (one instanceof Booking booking && search.tree.hasQueue(booking.clusterQueue())) {
        search.add(booking, isChecked);
        if (isChecked) {
          search.checkSlices(booking);
        }
      }
    }
    return search.conflicts;
  }

  /**
   * Returns the bookings that the quota does not permit any more, because it was lowered after
   * them. Of several, the first by name count first.
   */
  public static List<Conflict> beyondQuota(
      Collection<ClusterQueue> queues, Collection<Cohort> cohorts, Collection<DatedObject> dated) {
    List<DatedObject> all = new ArrayList<>(dated);
    all.sort(Comparator.comparing(DatedObject::key));
    DatedConflicts search =
        new DatedConflicts(new QuotaTree(queues, cohorts, List.of()), all, Fleet.EMPTY);
    search.withdraw();
    for (DatedObject one : all) {
      if (one instanceof Booking booking && search.tree.hasQueue(booking.clusterQueue())) {
        search.add(booking, true);
      }
    }
    return search.conflicts;
  }

  private void withdraw() {
    for (DatedObject one : all) {
      if (one instanceof Outage outage) {
        Calendar.amounts(outage, tree.flavorResources())
            .forEach((number, amount) -> forecast.withdraw(number, amount, from(one), until(one)));
      }
    }
  }

  private static long from(DatedObject one) {
    return Ticks.of(one.period().from());
  }

  private static long until(DatedObject one) {
    return Ticks.notBefore(one.period().until());
  }

  private void checkNames(DatedObject one) {
    TreeSet<String> slices =
        fleet.slices().stream().map(Slice::name).collect(Collectors.toCollection(TreeSet::new));
    for (int at = 0; at < one.slices().size(); at++) {
      String slice = one.slices().get(at);
      if (!slices.contains(slice)) {
        refuse(one, "spec.slices[" + at + "]", slice, "the fleet has no such slice");
      }
    }
    if (one instanceof Outage outage) {
      TreeSet<String> hosts = new TreeSet<>();
      fleet.slices().forEach(slice -> hosts.addAll(slice.hosts()));
      for (int at = 0; at < outage.hosts().size(); at++) {
        String host = outage.hosts().get(at);
        if (!hosts.contains(host)) {
          refuse(one, "spec.hosts[" + at + "]", host, "no slice of the fleet has such a host");
        }
      }
    }
  }

  private void refuse(DatedObject one, String field, String value, String message) {
    conflicts.add(new Conflict(one.key(), field, value, message));
  }

  private void add(Booking booking, boolean isChecked) {
    int node = tree.node(booking.clusterQueue());
    for (int at = 0; at < booking.quota().size(); at++) {
      FlavorAmounts its = booking.quota().get(at);
      for (Map.Entry<ResourceName, Long> amount : its.amounts().amounts().entrySet()) {
        int number = tree.flavorResources().find(its.flavor(), amount.getKey());
        if (number < 0 || !tree.names(node, number)) {
          if (isChecked) {
            refuseUncovered(booking, at, amount.getKey());
          }
          continue;
        }
        long end = forecast.fitsUntil(node, number, amount.getValue(), from(booking));
        if (isChecked && end < until(booking)) {
          refuseQuota(booking, at, number, amount.getValue());
        } else {
          forecast.add(node, number, amount.getValue(), from(booking), until(booking));
        }
      }
    }
  }

  private void refuseUncovered(Booking booking, int at, ResourceName resource) {
    refuse(
        booking,
        "spec.quota[" + at + "].flavor",
        booking.quota().get(at).flavor(),
        "ClusterQueue %s has no quota of %s in this flavor"
            .formatted(booking.clusterQueue(), resource));
  }

  private void refuseQuota(Booking booking, int at, int number, long amount) {
    FlavorResources.Pair pair = tree.flavorResources().pair(number);
    int node = tree.node(booking.clusterQueue());
    List<String> others = new ArrayList<>();
    for (DatedObject other : all) {
      if (!other.equals(booking)
          && other.period().overlaps(booking.period())
          && uses(other, pair)
          && sharesTree(other, node)) {
        others.add(other.key() + " " + other.period());
      }
    }
    String most = Quantities.format(tree.potentiallyAvailable(node, number), pair.resource());
    refuse(
        booking,
        "spec.quota[" + at + "].amounts",
        Quantities.format(amount, pair.resource()) + " of " + pair.resource(),
        "exceeds what ClusterQueue %s can use of flavor %s: %s, borrowing included%s"
            .formatted(
                booking.clusterQueue(),
                pair.flavor(),
                most,
                others.isEmpty() ? "" : ", less what is taken by " + named(others)));
  }

  private static String named(List<String> others) {
    String some = others.stream().limit(NAMED_MAX).collect(Collectors.joining(" and by "));
    int more = others.size() - NAMED_MAX;
    return more > 0 ? some + " and by " + more + " more" : some;
  }

  private static boolean uses(DatedObject other, FlavorResources.Pair pair) {
    return other.quota().stream()
        .anyMatch(
            its ->
                its.flavor().equals(pair.flavor())
                    && (its.amounts().isEmpty() || its.amounts().get(pair.resource()) > 0));
  }

  private boolean sharesTree(DatedObject other, int node) {
    return !(other instanceof Booking booking)
        || (tree.hasQueue(booking.clusterQueue())
            && tree.root(tree.node(booking.clusterQueue())) == tree.root(node));
  }

  private void checkSlices(Booking booking) {
    for (DatedObject other : all) {
      boolean before = other instanceof Outage || all.indexOf(other) < all.indexOf(booking);
      if (before && other.period().overlaps(booking.period())) {
        for (Slice slice : fleet.slices()) {
          if (booking.means(slice) && other.means(slice)) {
            refuse(
                booking,
                "spec.slices[" + booking.slices().indexOf(slice.name()) + "]",
                slice.name(),
                "is taken by " + other.key() + " " + other.period());
          }
        }
      }
    }
  }
}
