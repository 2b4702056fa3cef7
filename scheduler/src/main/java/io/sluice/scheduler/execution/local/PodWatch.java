// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.scheduler.execution.local.files.AttemptRecords;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.files.PodStatus;
import io.sluice.scheduler.execution.local.process.ProcessMark;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that pods have ended, by the ends of their wrappers. The operating system tells of a
 * wrapper that this server started; one that another server started is looked at again and again.
 * Touched by the event loop's thread only.
 */
final class PodWatch {
  private static final Duration INTERVAL = Duration.ofMillis(200);

  /** Told once of each pod. */
  @FunctionalInterface
  interface Ended {
    /**
     * The pod's wrapper has ended.
     *
     * @param pod as {@code pod main-0 on host h1}
     * @param exitCode empty if nobody saw how the pod's leader ended; it may be alive
     */
    void ended(LocalAttempt attempt, String pod, OptionalInt exitCode);
  }

  private final EventLoop loop;
  private final ProcessTable table;
  private final AttemptRecords records;
  private final Ended ended;
  private final List<Watched> looked = new ArrayList<>();

  PodWatch(EventLoop loop, ProcessTable table, AttemptRecords records, Ended ended) {
    this.loop = loop;
    this.table = table;
    this.records = records;
    this.ended = ended;
    loop.repeat(INTERVAL, this::look);
  }

  /**
   * A pod.
   *
   * @param started null if it did not come as far as that
   * @param sameBoot whether it was started in this run of the machine
   */
  private record Watched(
      LocalAttempt attempt, String pod, @Nullable PodRecord started, boolean sameBoot) {}

  /** Watches a pod that this server started. */
  void watch(LocalAttempt attempt, PodProcess process) {
    Watched watched = new Watched(attempt, process.plan().named(), process.started(), true);
    var unused = process.ended().thenRun(() -> loop.post(() -> lookAt(watched)));
  }

  /**
   * Watches a pod that an earlier server started.
   *
   * @param sameBoot whether that was in this run of the machine
   */
  void watch(LocalAttempt attempt, PodPlan plan, PodRecord started, boolean sameBoot) {
    looked.add(new Watched(attempt, plan.named(), started, sameBoot));
  }

  private void lookAt(Watched watched) {
    if (!tellIfEnded(watched)) {
      looked.add(watched); // what ended was the shell that gave the wrapper its group
    }
  }

  private void look() {
    looked.removeIf(this::tellIfEnded);
  }

  private boolean tellIfEnded(Watched watched) {
    PodRecord started = watched.started();
    if (started == null) {
      ended.ended(watched.attempt(), watched.pod(), OptionalInt.empty());
      return true;
    }
    if (watched.sameBoot() && alive(started.wrapper())) {
      return false;
    }
    // Read after its death, so nothing more will come.
    PodStatus status =
        records.status(watched.attempt().key(), watched.attempt().generation(), started);
    ended.ended(watched.attempt(), watched.pod(), status.exitCode());
    return true;
  }

  private boolean alive(ProcessMark wrapper) {
    OptionalLong start = table.startOf(wrapper.pid());
    return start.isPresent() && start.getAsLong() == wrapper.start();
  }
}
