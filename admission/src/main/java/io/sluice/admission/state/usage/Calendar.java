// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorAmounts;
import io.sluice.queuemodel.quota.Outage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bookings and outages that have not ended, with their quota by number and their slices. It
 * does not follow changes of objects, quota or the fleet: it is made anew.
 */
public final class Calendar {
  /** A calendar without entries. */
  public static final Calendar NONE = new Calendar(List.of());

  private static final long WHOLE = Long.MAX_VALUE;

  /**
   * A booking or an outage.
   *
   * @param from first time, in {@link Ticks}
   * @param to end, exclusive
   * @param booked quota of the queue of a booking; null for an outage
   * @param absent amounts that are absent in an outage, by number of (flavor, resource)
   * @param slices slices of the fleet that are kept for the queue, or absent
   */
  public record Entry(
      DatedObject object,
      long from,
      long to,
      @Nullable Usage booked,
      SortedMap<Integer, Long> absent,
      List<String> slices) {
    /** Returns whether it has a moment in common with a range of time. */
    public boolean overlaps(long start, long end) {
      return from < end && start < to;
    }

    /** Returns whether it keeps capacity for the queue of a node. */
    public boolean isFor(int node) {
      return booked != null && booked.node() == node;
    }

    /** Returns whether it concerns any (flavor, resource) of a usage. */
    public boolean concerns(Usage usage) {
      for (int at = 0; at < usage.size(); at++) {
        int number = usage.flavorResource(at);
        boolean its = booked == null ? absent.containsKey(number) : booked.amountOf(number) > 0;
        if (its && usage.amount(at) > 0) {
          return true;
        }
      }
      return false;
    }
  }

  private final List<Entry> entries;
  private final List<Entry> withSlices;
  private final List<Entry> outages;

  private Calendar(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    this.outages = entries.stream().filter(entry -> !entry.absent().isEmpty()).toList();
    this.withSlices = entries.stream().filter(entry -> !entry.slices().isEmpty()).toList();
  }

  /**
   * Makes the calendar.
   *
   * @param fleet the slices of the fleet, by name
   * @param now time before which objects that have ended are left out, in {@link Ticks}
   */
  public static Calendar of(
      Collection<DatedObject> objects, QuotaLedger ledger, Collection<Slice> fleet, long now) {
    List<Entry> entries = new ArrayList<>();
    for (DatedObject object : objects) {
      long to = Ticks.notBefore(object.period().until());
      if (to > now) {
        entries.add(entry(object, to, ledger, fleet));
      }
    }
    entries.sort(
        Comparator.comparingLong(Entry::from).thenComparing(entry -> entry.object().key()));
    return new Calendar(entries);
  }

  private static Entry entry(
      DatedObject object, long to, QuotaLedger ledger, Collection<Slice> fleet) {
    SortedMap<Integer, Long> amounts = amounts(object, ledger.tree().flavorResources());
    boolean any = !object.slices().isEmpty() || object instanceof Outage;
    List<String> kept =
        any ? fleet.stream().filter(object::means).map(Slice::name).toList() : List.of();
    long from = Ticks.of(object.period().from());
    if (object instanceof Booking booking) {
      Usage booked = Usage.of(ledger.tree().node(booking.clusterQueue()), amounts);
      return new Entry(object, from, to, booked, new TreeMap<>(), kept);
    }
    return new Entry(object, from, to, null, amounts, kept);
  }

  /**
   * Returns the amounts of a booking or an outage by number of (flavor, resource); {@link
   * Long#MAX_VALUE} for all of a flavor.
   */
  public static SortedMap<Integer, Long> amounts(DatedObject object, FlavorResources numbers) {
    TreeMap<Integer, Long> amounts = new TreeMap<>();
    for (FlavorAmounts its : object.quota()) {
      for (int number = 0; number < numbers.size(); number++) {
        FlavorResources.Pair pair = numbers.pair(number);
        Long amount = amount(its, pair.resource());
        if (pair.flavor().equals(its.flavor()) && amount != null) {
          amounts.put(number, amount);
        }
      }
    }
    return amounts;
  }

  private static @Nullable Long amount(FlavorAmounts its, ResourceName resource) {
    return its.amounts().isEmpty() ? (Long) WHOLE : its.amounts().amounts().get(resource);
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns the entries, by their begin. */
  public List<Entry> entries() {
    return entries;
  }

  /** Returns the entries with absent quota, by their begin. */
  public List<Entry> outages() {
    return outages;
  }

  /** Returns the entries with slices, by their begin. */
  public List<Entry> withSlices() {
    return withSlices;
  }

  /** Returns the entries that keep slices from the queue of a node in a range of time. */
  public List<Entry> keepingSlicesFrom(int node, long start, long end) {
    List<Entry> keeping = new ArrayList<>();
    for (Entry entry : withSlices) {
      if (!entry.isFor(node) && entry.overlaps(start, end)) {
        keeping.add(entry);
      }
    }
    return keeping;
  }

  /** Returns the first begin or end after a time; {@link Ticks#NEVER} if there is none. */
  public long nextChange(long time) {
    long next = Ticks.NEVER;
    for (Entry entry : entries) {
      next = entry.from() > time ? Math.min(next, entry.from()) : next;
      next = entry.to() > time ? Math.min(next, entry.to()) : next;
    }
    return next;
  }
}
