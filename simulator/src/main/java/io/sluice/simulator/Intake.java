// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.simulator.fault.FaultKind;
import java.time.Duration;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Accepts inputs of users and hosts, stores them and acknowledges them. The key of a submission is
 * the name of its job: under one key one job is taken, however often it is submitted.
 */
class Intake {
  private static final Duration LATE = Duration.ofSeconds(10);
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final VirtualWorld world;
  private final Runnable wake;
  private final TreeMap<String, JobId> byKey = new TreeMap<>();

  /**
   * Takes nothing yet.
   *
   * @param wake called whenever something was acknowledged
   */
  Intake(VirtualWorld world, Runnable wake) {
    this.world = world;
    this.wake = wake;
  }

  /** Takes an input; it may be seen late. */
  void take(Input input) {
    if (input instanceof Input.SubmitJob submit) {
      Workload workload = submit.workload();
      if (knows(workload.name())) {
        return;
      }
      byKey.put(workload.name(), workload.id());
      if (world.plan().strikes(FaultKind.SUBMISSION_REPEATED)) {
        Input again = new Input.SubmitJob(withAnotherId(workload), submit.hold());
        world.agenda().in(world.plan().upTo(AGAIN), () -> take(again));
      }
    }
    long number = world.store().nextNumber();
    if (world.plan().strikes(FaultKind.INPUT_LATE)) {
      world.agenda().in(world.plan().upTo(LATE), () -> acknowledge(number, input));
    } else {
      acknowledge(number, input);
    }
  }

  /** Whether a job was taken under this key. */
  boolean knows(String key) {
    return byKey.containsKey(key);
  }

  /** Takes what must be there before anything else. */
  void takeFirst(Input input) {
    acknowledge(world.store().nextNumber(), input);
  }

  private void acknowledge(long number, Input input) {
    world.store().add(number, input);
    wake.run();
  }

  /** Ids are given where a job is taken, so the second time it has another. */
  private static Workload withAnotherId(Workload workload) {
    UUID id = workload.id().value();
    return new Workload(
        new JobId(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() + 1)),
        workload.name(),
        workload.queue(),
        workload.priority(),
        workload.submitted(),
        workload.shape(),
        workload.limits(),
        workload.array());
  }
}
