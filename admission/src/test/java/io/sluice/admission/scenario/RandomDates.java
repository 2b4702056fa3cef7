// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorAmounts;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.Outage;
import io.sluice.queuemodel.quota.Period;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Bookings and outages that come, change and go. */
public final class RandomDates {
  private static final int NAMES = 4;
  private static final int QUEUES = 4;
  private static final int CORE = 1_000;
  private static final int CHIPS = 16;

  private final SplittableRandom random;

  public RandomDates(SplittableRandom random) {
    this.random = random;
  }

  /** Changes between two rounds; mostly none. */
  public List<Input> next(Instant now, List<Slice> fleet) {
    List<Input> inputs = new ArrayList<>();
    if (random.nextInt(100) < 20) {
      ObjectMeta meta = ObjectMeta.named("d" + random.nextInt(NAMES));
      inputs.add(new Input.SetObject(object(meta, now, fleet), 1));
    }
    if (random.nextInt(100) < 5) {
      ObjectKind kind = random.nextBoolean() ? ObjectKind.BOOKING : ObjectKind.OUTAGE;
      inputs.add(new Input.RemoveObject(ObjectKey.of(kind, "d" + random.nextInt(NAMES))));
    }
    return inputs;
  }

  private DatedObject object(ObjectMeta meta, Instant now, List<Slice> fleet) {
    Instant from = now.plusMillis(random.nextInt(60_000) - 5_000L);
    Period period = new Period(from, from.plusMillis(1 + random.nextInt(60_000)));
    List<String> slices = new ArrayList<>();
    if (!fleet.isEmpty() && random.nextInt(3) == 0) {
      slices.add(fleet.get(random.nextInt(fleet.size())).name());
    }
    if (random.nextBoolean()) {
      return new Booking(meta, "q" + random.nextInt(QUEUES), period, quota(false), slices);
    }
    List<String> hosts = new ArrayList<>();
    if (!fleet.isEmpty() && random.nextInt(3) == 0) {
      hosts.add(fleet.get(random.nextInt(fleet.size())).hosts().get(0));
    }
    return new Outage(meta, period, quota(true), slices, hosts);
  }

  private List<FlavorAmounts> quota(boolean whole) {
    List<FlavorAmounts> quota = new ArrayList<>();
    for (String flavor : List.of("near", "far")) {
      if (random.nextInt(3) > 0) {
        long amount = (1L + random.nextInt(8)) * CORE;
        boolean all = whole && random.nextInt(3) == 0;
        ResourceList some = ResourceList.of(ResourceName.CPU, amount);
        quota.add(new FlavorAmounts(flavor, all ? ResourceList.NONE : some));
      }
    }
    if (random.nextInt(3) == 0) {
      long amount = (1L + random.nextInt(4)) * CHIPS;
      quota.add(new FlavorAmounts("v6e", ResourceList.of(ResourceName.TPU, amount)));
    }
    return quota;
  }
}
