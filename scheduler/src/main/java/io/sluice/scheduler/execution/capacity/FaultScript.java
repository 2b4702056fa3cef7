// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.FleetFault;
import io.sluice.queuemodel.fleet.FleetFaults;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.scheduler.lifecycle.LeasedPart;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.AuditEntry;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Applies the faults of a faults file to the virtual fleet as if a caller had requested them. Times
 * count from the start of this server. Faults that are due while it does not lead are skipped,
 * since the leader has its own script.
 */
final class FaultScript extends LeasedPart implements Part {
  private static final Logger LOG = Logger.getLogger(FaultScript.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final VirtualCapacity capacity;
  private final @Nullable FleetFaults faults;
  private final Fleet fleet;
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "faults");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Creates a script that has not started.
   *
   * @param faults null: no faults
   * @param fleet the fleet to which they apply
   */
  public FaultScript(VirtualCapacity capacity, @Nullable FleetFaults faults, Fleet fleet) {
    this.capacity = capacity;
    this.faults = faults;
    this.fleet = fleet;
  }

  @Override
  public StartOrder place() {
    return StartOrder.FAULTS;
  }

  /** Starts the script's clock. */
  @Override
  public void start() {
    if (faults == null) {
      return;
    }
    long begunNanos = System.nanoTime();
    faults.script().forEach(fault -> plan(fault, begunNanos, () -> {}));
    if (faults.random() != null) {
      planNext(new DrawnFaults(faults.random(), fleet), begunNanos);
    }
  }

  private void planNext(DrawnFaults drawn, long begunNanos) {
    if (drawn.hasNext()) {
      plan(drawn.next(), begunNanos, () -> planNext(drawn, begunNanos));
    }
  }

  private void plan(FleetFault fault, long begunNanos, Runnable then) {
    long wait = begunNanos + fault.after().toNanos() - System.nanoTime();
    var unused =
        timer.schedule(
            () -> {
              happen(fault);
              then.run();
            },
            Math.max(0, wait),
            TimeUnit.NANOSECONDS);
  }

  private void happen(FleetFault fault) {
    if (!leads()) {
      return;
    }
    try {
      LOG.infof("fault: %s %s", fault.kind().word(), fault.subject());
      apply(fault);
    } catch (RuntimeException failure) {
      LOG.warnf("fault %s %s failed; retrying: %s", fault.kind().word(), fault.subject(), failure);
      var unused = timer.schedule(() -> happen(fault), RETRY.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void apply(FleetFault fault) {
    String name = fault.subject();
    boolean known =
        switch (fault.kind()) {
          case RECLAIM ->
              capacity.takeAway(
                  name, fault.notice(), blame(AuditEntry.Action.RECLAIM, "Slice", name));
          case RETURN -> capacity.giveBack(name, blame(AuditEntry.Action.RETURN, "Slice", name));
          case FAIL_HOST -> capacity.failHost(name, blame(AuditEntry.Action.FAIL, "Host", name));
          case RETURN_HOST ->
              capacity.returnHost(name, blame(AuditEntry.Action.RETURN, "Host", name));
          case OUT_OF_STOCK -> stock(name, true);
          case IN_STOCK -> stock(name, false);
        };
    if (!known) {
      LOG.warnf("the fleet has no %s for %s", name, fault.kind().word());
    }
  }

  private boolean stock(String word, boolean none) {
    for (CapacityType type : CapacityType.values()) {
      if (type.word().equals(word)) {
        Supply now = capacity.supply(type);
        capacity.say(
            new Supply(type, now.provisioned(), now.grantAfter(), none),
            blame(AuditEntry.Action.UPDATE, "CapacityType", word));
        return true;
      }
    }
    return false;
  }

  private static AuditEntry blame(AuditEntry.Action action, String kind, String name) {
    return new AuditEntry(
        Caller.SERVER, action, kind, "", name, null, JsonNodeFactory.instance.objectNode());
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
