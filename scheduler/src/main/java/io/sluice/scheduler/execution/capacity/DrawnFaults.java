// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.FleetFault;
import io.sluice.queuemodel.fleet.FleetFaults.RandomFaults;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Random faults of a fleet, an endless sequence in order of time: reclaims of spot slices and
 * failures of hosts, each followed by a return. Times between faults of a kind are exponentially
 * distributed. A function of seed and fleet.
 */
final class DrawnFaults implements Iterator<FleetFault> {
  private static final Comparator<FleetFault> ORDER =
      Comparator.comparing(FleetFault::after)
          .thenComparing(FleetFault::kind)
          .thenComparing(FleetFault::subject);

  private final RandomFaults terms;
  private final List<String> slices;
  private final List<String> hosts;
  private final SplittableRandom reclaims;
  private final SplittableRandom failures;
  private final PriorityQueue<FleetFault> ahead = new PriorityQueue<>(ORDER);

  DrawnFaults(RandomFaults terms, Fleet fleet) {
    SplittableRandom random = new SplittableRandom(terms.seed());
    this.terms = terms;
    this.reclaims = random.split();
    this.failures = random.split();
    this.slices =
        fleet.slices().stream()
            .filter(slice -> slice.capacityType() == CapacityType.SPOT)
            .map(Slice::name)
            .toList();
    this.hosts = fleet.hosts().stream().map(Host::name).toList();
    drawReclaim(Duration.ZERO);
    drawFailure(Duration.ZERO);
  }

  @Override
  public boolean hasNext() {
    return !ahead.isEmpty();
  }

  @Override
  public FleetFault next() {
    FleetFault fault = ahead.poll();
    if (fault == null) {
      throw new NoSuchElementException();
    }
    Duration back = fault.after().plus(fault.notice()).plus(terms.timeToReturn());
    if (fault.kind() == FleetFault.Kind.RECLAIM) {
      add(back, FleetFault.Kind.RETURN, fault.subject(), Duration.ZERO);
      drawReclaim(fault.after());
    } else if (fault.kind() == FleetFault.Kind.FAIL_HOST) {
      add(back, FleetFault.Kind.RETURN_HOST, fault.subject(), Duration.ZERO);
      drawFailure(fault.after());
    }
    return fault;
  }

  private void drawReclaim(Duration after) {
    draw(
        reclaims,
        slices,
        terms.meanTimeBetweenReclaims(),
        after,
        FleetFault.Kind.RECLAIM,
        terms.notice());
  }

  private void drawFailure(Duration after) {
    draw(
        failures,
        hosts,
        terms.meanTimeBetweenHostFailures(),
        after,
        FleetFault.Kind.FAIL_HOST,
        Duration.ZERO);
  }

  private void draw(
      SplittableRandom random,
      List<String> names,
      @Nullable Duration mean,
      Duration after,
      FleetFault.Kind kind,
      Duration notice) {
    if (mean != null && !names.isEmpty()) {
      double gap = -Math.log(1 - random.nextDouble()) * mean.toMillis();
      add(after.plusMillis((long) gap), kind, names.get(random.nextInt(names.size())), notice);
    }
  }

  private void add(Duration after, FleetFault.Kind kind, String subject, Duration notice) {
    ahead.add(new FleetFault(after, kind, subject, notice));
  }
}
