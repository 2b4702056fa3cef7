// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorAmounts;
import io.sluice.queuemodel.quota.Outage;
import io.sluice.queuemodel.quota.Period;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Bookings and outages in the words of scenarios. */
final class DatedWords {
  private DatedWords() {}

  /** {@code booking b of vision in 100s for 50s [cpu 4] [v6e 16] [slices s1 s2]}. */
  static DatedObject booking(Words words, Instant now) {
    ObjectMeta meta = ObjectMeta.named(words.next());
    words.accept("of");
    String queue = words.next();
    Period period = period(words, now);
    List<FlavorAmounts> quota = quota(words);
    return new Booking(meta, queue, period, quota, rest("slices", words));
  }

  /** {@code outage o in 100s for 50s [cpu 4] [v6e 16] [flavor spot] [slices s1] [hosts s1-0]}. */
  static DatedObject outage(Words words, Instant now) {
    ObjectMeta meta = ObjectMeta.named(words.next());
    Period period = period(words, now);
    List<FlavorAmounts> quota = quota(words);
    return new Outage(meta, period, quota, rest("slices", words), rest("hosts", words));
  }

  private static Period period(Words words, Instant now) {
    words.accept("in");
    Instant from = now.plus(seconds(words));
    words.accept("for");
    return new Period(from, from.plus(seconds(words)));
  }

  private static Duration seconds(Words words) {
    return Duration.parse("PT" + words.next().toUpperCase(Locale.ROOT));
  }

  private static List<FlavorAmounts> quota(Words words) {
    List<FlavorAmounts> quota = new ArrayList<>();
    while (words.more() && !"slices".equals(words.peek()) && !"hosts".equals(words.peek())) {
      String what = words.next();
      if (what.equals("flavor")) {
        quota.add(new FlavorAmounts(words.next(), ResourceList.NONE));
      } else {
        boolean cpu = what.equals("cpu");
        ResourceName resource = cpu ? ResourceName.CPU : ResourceName.TPU;
        long amount = Quantities.parse(words.next(), resource);
        quota.add(new FlavorAmounts(cpu ? "default" : what, ResourceList.of(resource, amount)));
      }
    }
    return quota;
  }

  private static List<String> rest(String word, Words words) {
    List<String> names = new ArrayList<>();
    if (words.accept(word)) {
      while (words.more() && !"hosts".equals(words.peek())) {
        names.add(words.next());
      }
    }
    return names;
  }
}
