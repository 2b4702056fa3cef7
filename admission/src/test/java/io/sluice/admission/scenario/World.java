// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.cycle.isolated.CycleMemory;
import io.sluice.admission.cycle.isolated.IsolatedCycle;
import io.sluice.admission.cycle.isolated.JobRelations;
import io.sluice.admission.invariant.Invariants;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.testing.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An engine with inputs that wait for its next round. */
public final class World {
  private static final int EVENTS_MAX = 100_000;
  private static final int PARTS_MAX = 16;

  private final AdmissionState state;
  private final AdmissionEngine engine;
  private final JobRelations relations = new JobRelations();
  private final CycleMemory memory = new CycleMemory(relations);
  private final VirtualClock clock = new VirtualClock();
  private final List<Input> waiting = new ArrayList<>();
  private final Map<String, JobId> ids = new TreeMap<>();
  private final Map<JobId, String> names = new TreeMap<>();

  private boolean more;

  public World() {
    this(EnginePolicy.DEFAULT);
  }

  public World(EnginePolicy policy) {
    this.state = AdmissionState.restore(StateSnapshot.empty(), policy);
    this.engine = new AdmissionEngine(state);
  }

  public AdmissionState state() {
    return state;
  }

  /** What single cycles are told beside the state. */
  JobRelations relations() {
    return relations;
  }

  public VirtualClock clock() {
    return clock;
  }

  public void input(Input input) {
    waiting.add(input);
  }

  /** Takes back what waits for the next round. */
  List<Input> takeBack() {
    List<Input> inputs = List.copyOf(waiting);
    waiting.clear();
    return inputs;
  }

  public void submit(Workload workload) {
    submit(workload, false);
  }

  /** Submits a job that may be held from the start. */
  public void submit(Workload workload, boolean hold) {
    ids.put(workload.name(), workload.id());
    names.put(workload.id(), workload.name());
    input(new Input.SubmitJob(workload, hold));
  }

  public int submitted() {
    return ids.size();
  }

  public String nameOf(JobId id) {
    return names.getOrDefault(id, id.toString());
  }

  public JobId idOf(String name) {
    JobId id = ids.get(name);
    if (id == null) {
      throw new IllegalArgumentException("no job " + name);
    }
    return id;
  }

  /** Null if the job has ended. */
  public @Nullable JobEntry job(String name) {
    return state.findJob(idOf(name));
  }

  /** Consumes what waits and decides; the state must keep every promise. */
  public List<Event> round() {
    return checked(inputs -> whole(engine, inputs, clock.now()));
  }

  /**
   * Consumes what waits and decides once, although that may leave more to decide.
   *
   * @return the events; {@link #more} tells whether anything is left
   */
  public List<Event> part() {
    return checked(
        inputs -> {
          AdmissionEngine.Round round = engine.decide(inputs, clock.now(), EVENTS_MAX);
          more = round.more();
          return round.events();
        });
  }

  /** Returns whether the last part left more to decide. */
  public boolean more() {
    return more;
  }

  /** Decides at one time until nothing more is to be decided; at most 16 rounds. */
  public static List<Event> whole(AdmissionEngine engine, List<Input> inputs, Instant now) {
    List<Event> events = new ArrayList<>();
    boolean more = true;
    for (int part = 0; part < PARTS_MAX && more; part++) {
      List<Input> consumed = part == 0 ? inputs : List.of();
      AdmissionEngine.Round round = engine.decide(consumed, now, EVENTS_MAX);
      if (!round.undecided().isEmpty()) {
        throw new AssertionError("heads without a decision: " + round.undecided());
      }
      events.addAll(round.events());
      more = round.more();
    }
    return events;
  }

  /** Consumes what waits and runs one cycle alone. */
  public List<Event> cycle() {
    return checked(
        inputs -> {
          List<Event> events = new ArrayList<>(engine.decide(inputs, clock.now(), 0).events());
          events.addAll(new IsolatedCycle(engine.state(), memory).decide(clock.now()));
          return events;
        });
  }

  private List<Event> checked(Function<List<Input>, List<Event>> decision) {
    List<Input> inputs = List.copyOf(waiting);
    waiting.clear();
    Map<String, Long> before = Invariants.excesses(state);
    List<Event> events = decision.apply(inputs);
    List<String> violations = Invariants.violations(state);
    boolean edited = inputs.stream().anyMatch(World::edits);
    if (!edited) {
      Invariants.excesses(state)
          .forEach(
              (where, excess) -> {
                if (excess > before.getOrDefault(where, 0L)) {
                  violations.add("P1: excess of " + excess + " in " + where);
                }
              });
    }
    if (!violations.isEmpty()) {
      throw new AssertionError(String.join("\n", violations));
    }
    return events;
  }

  private static boolean edits(Input input) {
    return input instanceof Input.SetObject || input instanceof Input.RemoveObject;
  }

  /** Reports about an index's attempt; of a job that is no array the index is 0. */
  public void report(String name, int index, AttemptReport.Kind kind) {
    report(name, index, kind, 0);
  }

  /**
   * The same of a generation that is older than the present one.
   *
   * @param older by how many
   */
  public void report(String name, int index, AttemptReport.Kind kind, int older) {
    JobEntry job = job(name);
    if (job == null) {
      throw new IllegalArgumentException("job " + name + " has ended");
    }
    FailureCause cause = kind == AttemptReport.Kind.FAILED ? FailureCause.EXIT_CODE : null;
    String message = kind == AttemptReport.Kind.FAILED ? "ended with code 1" : "";
    AttemptKey key = new AttemptKey(job.id(), index, job.attempts(index));
    Attempt attempt = state().findAttempt(key);
    int generation = attempt == null ? 1 : attempt.generation();
    input(new Input.Report(new AttemptReport(key, generation - older, kind, cause, message)));
  }
}
