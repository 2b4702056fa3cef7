// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.state.record.LastResize;
import io.sluice.admission.topology.SliceForms;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.simulator.fault.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Hosts on which processes start, run for a drawn time, and end. What was started or ended once is
 * not started again, and a start of a generation that is not current changes nothing. A report that
 * nothing is left is sent only when that is so.
 */
class SimulatedFleet {
  private static final int ENDED_WELL_PERCENT = 10;
  private static final int HALF = 50;
  private static final int SAVING_PERCENT = 20;
  private static final int HANGING_PERCENT = 20;
  private static final Duration PROGRESS = Duration.ofSeconds(6);
  private static final Duration TIDY_UP = Duration.ofSeconds(5);

  private final VirtualWorld world;
  private final RunProfile profile;
  private final ReportLine reports;
  private final FleetBooks books;
  private final Map<AttemptKey, Integer> ended = new TreeMap<>();

  SimulatedFleet(VirtualWorld world, RunProfile profile, ReportLine reports, FleetBooks books) {
    this.world = world;
    this.profile = profile;
    this.reports = reports;
    this.books = books;
  }

  /** Starts an attempt, unless it may not be started or was before. */
  void start(AttemptKey key, int generation) {
    AttemptRecord stored = world.store().rows().attempt(key);
    Execution older = find(key);
    if (refuses(key, generation, stored)) {
      return;
    }
    if (older != null && stored != null) {
      replace(older, generation, stored);
      return;
    }
    if (world.plan().strikes(FaultKind.START_FAILED)) {
      ended.put(key, generation);
      report(key, generation, Kind.FAILED, FailureCause.START_FAILED);
      report(key, generation, Kind.DRAINED, null);
      return;
    }
    List<String> slices = stored == null ? List.of() : stored.assignment().slices();
    Execution execution =
        new Execution(key, generation, slices, hosts(slices), slicesAsked(key, slices));
    books.begin(execution);
    world.timeline().add("hosts start " + execution);
    world.agenda().in(world.plan().upTo(profile.startMax()), () -> started(execution));
  }

  /** The hosts of slices; of one that the fleet no longer has, its name stands for them. */
  private List<String> hosts(List<String> slices) {
    SliceForms forms = new SliceForms(world.store().rows().fleet());
    List<String> hosts = new ArrayList<>();
    for (String name : slices) {
      Slice slice = forms.find(name);
      hosts.addAll(slice == null ? List.of(name) : slice.hosts());
    }
    return hosts;
  }

  /** Whether a start is to change nothing. */
  boolean refuses(AttemptKey key, int generation, @Nullable AttemptRecord stored) {
    Execution execution = find(key);
    return stored == null
        || stored.generation() != generation
        || hasEnded(key, generation)
        || (execution != null && execution.generation() >= generation);
  }

  private boolean hasEnded(AttemptKey key, int generation) {
    return ended.getOrDefault(key, 0) >= generation;
  }

  /** What runs of an older generation ends first. */
  private void replace(Execution older, int generation, AttemptRecord stored) {
    Execution.Phase phase = older.phase();
    if (phase == Execution.Phase.ORPHANED
        || (phase == Execution.Phase.ENDING && !older.replaced())) {
      return;
    }
    older.replaceBy(generation);
    if (phase != Execution.Phase.ENDING) {
      JobRecord job = world.store().rows().job(stored.key().job());
      LastResize resize = stored.lastResize();
      Duration grace = job == null ? Duration.ZERO : job.workload().limits().gracePeriod();
      boolean deaf = world.plan().chance(profile.deafPercent());
      older.become(Execution.Phase.ENDING);
      end(
          older,
          false,
          Execution.ending(
              world.plan(), deaf, resize == null ? grace : resize.resize().grace(grace)));
    }
  }

  private int slicesAsked(AttemptKey key, List<String> otherwise) {
    JobRecord job = world.store().rows().job(key.job());
    if (job == null) {
      return otherwise.size();
    }
    AcceleratorRequest accelerator = job.workload().shape().accelerator();
    boolean allowed = accelerator != null && accelerator.slices().contains(otherwise.size());
    return accelerator == null ? 0 : allowed ? otherwise.size() : accelerator.slices().max();
  }

  private @Nullable Execution find(AttemptKey key) {
    for (Execution execution : books.running()) {
      if (execution.attempt().equals(key)) {
        return execution;
      }
    }
    return null;
  }

  private void started(Execution execution) {
    if (execution.phase() == Execution.Phase.STARTING) {
      execution.become(Execution.Phase.RUNNING);
      report(execution, Kind.STARTED, null);
      if (hangs(execution)) {
        world.timeline().add("hosts hang with " + execution);
        return;
      }
      comeOnLater(execution);
      world.agenda().in(world.plan().upTo(profile.runMax()), () -> runOut(execution));
    }
  }

  /** Whether it never ends of itself; only one that somebody will end for that. */
  private boolean hangs(Execution execution) {
    JobRecord job = world.store().rows().job(execution.attempt().job());
    if (job == null) {
      return false;
    }
    AttemptDeadlines deadlines = job.workload().limits().deadlines();
    return deadlines.progress() != null
        && deadlines.onStall() == StallPolicy.FAIL
        && world.plan().chance(HANGING_PERCENT);
  }

  private void comeOnLater(Execution execution) {
    world
        .agenda()
        .in(
            world.plan().upTo(PROGRESS),
            () -> {
              if (execution.phase() == Execution.Phase.RUNNING) {
                boolean saves = world.plan().chance(SAVING_PERCENT);
                report(execution, saves ? Kind.CHECKPOINT : Kind.PROGRESS, null);
                comeOnLater(execution);
              }
            });
  }

  private void runOut(Execution execution) {
    if (execution.phase() != Execution.Phase.RUNNING) {
      return;
    }
    if (!world.plan().chance(profile.failingPercent())) {
      gone(execution, Kind.FINISHED);
      return;
    }
    execution.become(Execution.Phase.FAILED);
    report(execution, Kind.FAILED, FailureCause.EXIT_CODE);
    // Its other processes notice, or wait to be told.
    if (world.plan().chance(HALF)) {
      world.agenda().in(world.plan().upTo(TIDY_UP), () -> drained(execution));
    }
  }

  /** Ends an attempt; of one that is not known here nothing is left. */
  void stop(AttemptKey key, int generation, Duration grace) {
    Execution execution = find(key);
    if (execution == null) {
      ended.put(key, generation);
      report(key, generation, Kind.DRAINED, null);
      return;
    }
    Execution.Phase phase = execution.phase();
    boolean older = execution.generation() < generation;
    if (execution.generation() <= generation) {
      execution.stopAs(generation);
    }
    if (execution.generation() > generation
        || phase == Execution.Phase.ENDING
        || phase == Execution.Phase.ORPHANED) {
      return;
    }
    if (!older && world.plan().strikes(FaultKind.DRAIN_UNTOLD)) {
      vanish(execution);
      reports.confirmLost(key);
      return;
    }
    boolean endsWell =
        !older && phase == Execution.Phase.RUNNING && world.plan().chance(ENDED_WELL_PERCENT);
    boolean deaf = world.plan().chance(profile.deafPercent());
    execution.become(Execution.Phase.ENDING);
    end(execution, endsWell, Execution.ending(world.plan(), deaf, grace));
  }

  /** Its processes will be gone after a while. */
  void end(Execution execution, boolean endsWell, Duration after) {
    world
        .agenda()
        .in(
            after,
            () -> {
              if (endsWell && execution.phase() == Execution.Phase.ENDING) {
                gone(execution, Kind.FINISHED);
              } else {
                drained(execution);
              }
            });
  }

  private void drained(Execution execution) {
    if (execution.phase() == Execution.Phase.FAILED
        || execution.phase() == Execution.Phase.ENDING) {
      gone(execution, Kind.DRAINED);
    }
  }

  private void gone(Execution execution, Kind kind) {
    if (execution.replaced()) {
      books.end(execution);
      world.timeline().add("hosts are free of " + execution);
      start(execution.attempt(), execution.told());
      return;
    }
    vanish(execution);
    report(execution, kind, null);
  }

  private void vanish(Execution execution) {
    books.end(execution);
    int last = execution.replaced() ? execution.generation() : execution.told();
    ended.merge(execution.attempt(), last, Math::max);
    world.timeline().add("hosts are free of " + execution);
  }

  /** A host of some execution is gone. */
  void loseHost() {
    List<Execution> running = books.running();
    if (!running.isEmpty() && world.plan().strikes(FaultKind.HOST_LOST)) {
      lose(running.get(world.plan().number(running.size())));
    }
  }

  /** The fleet is another: hosts of slices that are not in it may be gone. */
  void change(Fleet fleet) {
    SliceForms forms = new SliceForms(fleet);
    for (Execution execution : books.running()) {
      boolean gone = execution.slices().stream().anyMatch(name -> forms.find(name) == null);
      if (gone && world.plan().chance(HALF)) {
        lose(execution);
      }
    }
  }

  private void lose(Execution execution) {
    Execution.Phase phase = execution.phase();
    if (phase == Execution.Phase.ORPHANED) {
      return;
    }
    if (execution.replaced()) {
      gone(execution, Kind.DRAINED);
      return;
    }
    vanish(execution);
    if (world.plan().chance(HALF)) {
      report(execution, Kind.FAILED, FailureCause.HOST_LOST);
    }
    report(execution, Kind.DRAINED, null);
  }

  /** The server is dead, and it alone watched the processes. */
  void orphan() {
    reports.cut();
    books.running().forEach(execution -> execution.become(Execution.Phase.ORPHANED));
  }

  /** Another server ends what an earlier one left, and reports it. */
  void recover(List<AttemptRecord> live) {
    books.running().forEach(this::vanish);
    for (AttemptRecord attempt : live) {
      if (hasEnded(attempt.key(), attempt.generation())) {
        report(attempt.key(), attempt.generation(), Kind.FAILED, FailureCause.SERVER_LOST);
        report(attempt.key(), attempt.generation(), Kind.DRAINED, null);
      }
    }
  }

  boolean idle() {
    return books.running().isEmpty() && reports.idle();
  }

  private void report(Execution execution, Kind kind, @Nullable FailureCause cause) {
    int generation = execution.replaced() ? execution.generation() : execution.told();
    report(execution.attempt(), generation, kind, cause);
  }

  /** Reports of an attempt. */
  void report(AttemptKey key, int generation, Kind kind, @Nullable FailureCause cause) {
    String message = cause == null ? "" : "simulated";
    reports.send(new AttemptReport(key, generation, kind, cause, message));
  }
}
