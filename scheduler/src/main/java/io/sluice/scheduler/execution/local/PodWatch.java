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
 * Detects the end of pods by the end of their wrappers. The operating system reports it for
 * wrappers that this server started; the watch polls those of earlier servers. Confined to the
 * event loop's thread.
 */
final class PodWatch {
  private static final Duration INTERVAL = Duration.ofMillis(200);

  /** Receives the end of each pod once. */
  @FunctionalInterface
  interface Ended {
    /**
     * Handles the end of a pod's wrapper.
     *
     * @param exitCode empty if the exit of the pod's leader was not recorded; it may be alive
     */
    void ended(LocalAttempt attempt, PodPlan pod, OptionalInt exitCode);
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
   * A watched pod.
   *
   * @param started its record; null if it was not ready
   * @param sameBoot whether it was started since the machine's last boot
   */
  private record Watched(
      LocalAttempt attempt, PodPlan pod, @Nullable PodRecord started, boolean sameBoot) {}

  /** Watches a pod that this server started. */
  void watch(LocalAttempt attempt, PodProcess process) {
    Watched watched = new Watched(attempt, process.plan(), process.started(), true);
    var unused = process.ended().thenRun(() -> loop.post(() -> lookAt(watched)));
  }

  /**
   * Watches a pod that an earlier server started.
   *
   * @param sameBoot whether that was since the machine's last boot
   */
  void watch(LocalAttempt attempt, PodPlan plan, PodRecord started, boolean sameBoot) {
    looked.add(new Watched(attempt, plan, started, sameBoot));
  }

  private void lookAt(Watched watched) {
    if (!tellIfEnded(watched)) {
      looked.add(watched); // the shell ended that created the wrapper's group
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
    // Read after the wrapper's end, so the file is final.
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
