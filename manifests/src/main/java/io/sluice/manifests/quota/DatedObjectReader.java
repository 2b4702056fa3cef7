// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorAmounts;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.Outage;
import io.sluice.queuemodel.quota.Period;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads bookings and outages. */
final class DatedObjectReader {
  /** The latest time that may be written. */
  static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private static final Period UNREADABLE = new Period(Instant.EPOCH, Instant.EPOCH.plusSeconds(1));

  private DatedObjectReader() {}

  /** The booking, of use only if the cursor's violations are empty then. */
  static Booking booking(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.BOOKING.kind(), null);
    ObjectCursor spec = top.objectOrEmpty("spec", "a Booking's spec");
    String queue = spec.requiredText("clusterQueue", Names::requireSubdomain);
    Period period = period(spec);
    List<FlavorAmounts> quota = quota(spec, true);
    List<String> slices = names(spec, "slices");
    if (quota.isEmpty() && slices.isEmpty() && !spec.has("quota") && !spec.has("slices")) {
      spec.refuse("quota", "is missing: a booking needs quota, slices or both");
    }
    spec.end();
    return new Booking(meta, queue, period, quota, slices);
  }

  /** The outage, of use only if the cursor's violations are empty then. */
  static Outage outage(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.OUTAGE.kind(), null);
    ObjectCursor spec = top.objectOrEmpty("spec", "an Outage's spec");
    Period period = period(spec);
    List<FlavorAmounts> quota = quota(spec, false);
    List<String> slices = names(spec, "slices");
    List<String> hosts = names(spec, "hosts");
    boolean nothing = quota.isEmpty() && slices.isEmpty() && hosts.isEmpty();
    if (nothing && !spec.has("quota") && !spec.has("slices") && !spec.has("hosts")) {
      spec.refuse("quota", "is missing: an outage needs quota, slices or hosts");
    }
    spec.end();
    return new Outage(meta, period, quota, slices, hosts);
  }

  private static Period period(ObjectCursor spec) {
    Instant from = instant(spec, "from");
    Instant until = instant(spec, "until");
    if (from == null || until == null) {
      return UNREADABLE;
    }
    try {
      return new Period(from, until);
    } catch (InvalidValueException problem) {
      spec.refuse("until", problem);
      return UNREADABLE;
    }
  }

  private static @Nullable Instant instant(ObjectCursor spec, String field) {
    if (!spec.require(field)) {
      return null;
    }
    String written = spec.text(field);
    if (written == null) {
      return null;
    }
    try {
      Instant time = OffsetDateTime.parse(written).toInstant();
      if (time.isAfter(LATEST)) {
        spec.refuse(field, "must not be later than " + LATEST);
      } else if (!time.equals(time.truncatedTo(ChronoUnit.MICROS))) {
        spec.refuse(field, "must be a whole number of microseconds");
      }
      return time;
    } catch (DateTimeException notDated) {
      spec.refuse(
          field, "must be a date and time with its zone, as 2027-01-31T08:00:00Z or ...+01:00");
      return null;
    }
  }

  private static List<FlavorAmounts> quota(ObjectCursor spec, boolean amountsRequired) {
    TreeSet<String> seen = new TreeSet<>();
    return spec.objects(
        "quota",
        DatedObject.ENTRIES_MAX,
        "an entry of quota",
        entry -> {
          String flavor = entry.requiredText("flavor", Names::requireSubdomain);
          ResourceList amounts = entry.amounts("amounts");
          entry.end();
          if (!flavor.isEmpty() && !seen.add(flavor)) {
            entry.refuse("flavor", "is there twice: put its amounts into one entry");
          }
          if (amounts.isEmpty() && (amountsRequired || entry.has("amounts"))) {
            entry.refuse("amounts", "must have an amount of at least one resource");
          }
          amounts
              .amounts()
              .forEach(
                  (resource, amount) -> {
                    if (amount == 0) {
                      entry.refuse("amounts", "must be more than 0 of " + resource);
                    }
                  });
          return new FlavorAmounts(flavor, amounts);
        });
  }

  private static List<String> names(ObjectCursor spec, String field) {
    List<String> names =
        spec.texts(
            field,
            DatedObject.ENTRIES_MAX,
            name -> {
              if (name.isBlank() || name.length() > 253) {
                throw new InvalidValueException("must be a name of at most 253 characters");
              }
              return name;
            });
    List<String> once = new ArrayList<>(new TreeSet<>(names));
    if (once.size() < names.size()) {
      spec.refuse(field, "has a name twice");
    }
    return once;
  }
}
