// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.admission.AdmissionRound;
import io.sluice.admission.Journal;
import io.sluice.admission.Launcher;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.cluster.ProviderNotes;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An engine with a journal in memory, a queue {@code q} with quota for 64 chips, and a manual
 * clock. Attempts start at once, and drain when the test says so.
 */
public final class MemoryEngine implements Journal, Launcher, ProviderNotes {
  private final List<Input> waiting = new ArrayList<>();
  private final List<Batch> made = new ArrayList<>();
  private final List<Input> given = new ArrayList<>();
  private final Map<AttemptKey, Integer> ending = new LinkedHashMap<>();
  private final TreeMap<Noun, TreeSet<String>> away =
      new TreeMap<>(Map.of(Noun.SLICE, new TreeSet<>(), Noun.HOST, new TreeSet<>()));
  private final AdmissionState state = AdmissionState.restore(StateSnapshot.empty());
  private final AdmissionRound round = new AdmissionRound(state, 0, this, this, this::now);
  private Instant now = Instant.parse("2026-11-21T10:00:00Z");
  private long last;

  /** Creates the engine and its queue. */
  public MemoryEngine() {
    offer(Labels.NONE);
    waiting.add(
        new Input.SetObject(
            ClusterQueueBuilder.named("q")
                .quota("v6e", new ResourceQuota(ResourceName.TPU, 64, null, null))
                .build(),
            1));
    waiting.add(
        new Input.SetObject(
            new LocalQueue(ObjectMeta.named("default", "q"), "q", StopPolicy.NONE), 1));
    step();
  }

  synchronized Instant now() {
    return now;
  }

  public synchronized void advance(Duration by) {
    now = now.plus(by);
  }

  /** Returns a clock with the engine's time. */
  Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return now();
      }
    };
  }

  public synchronized void step() {
    for (int times = 0; times < 4; times++) {
      round.step();
    }
  }

  public synchronized Object ask(Function<AdmissionState, Object> question) {
    return question.apply(state);
  }

  /** Sets the node labels of the queue's flavor. */
  synchronized void offer(Labels nodeLabels) {
    waiting.add(
        new Input.SetObject(
            new ResourceFlavor(ObjectMeta.named("v6e"), nodeLabels, List.of(), List.of()), 1));
  }

  /** Submits a job that requests one slice of 4x4. */
  synchronized void submit(int number) {
    waiting.add(
        new Input.SubmitJob(
            WorkloadBuilder.named("job-" + number, number)
                .queue("default", "q")
                .slices(1, "v6e", "4x4")
                .createdAt(now)
                .build()));
    step();
  }

  /** Adds inputs and runs a round. */
  public synchronized void give(Input... inputs) {
    waiting.addAll(List.of(inputs));
    step();
  }

  /** Returns the slice that a job holds; null if none. */
  public synchronized @Nullable String heldBy(int number) {
    return state.fleet().slices().stream()
        .map(slice -> slice.name())
        .filter(
            slice -> {
              AttemptKey holder = state.slices().holder(slice);
              return holder != null && holder.job().equals(WorkloadBuilder.id(number));
            })
        .findFirst()
        .orElse(null);
  }

  public synchronized SliceCondition condition(String slice) {
    return state.slices().standings().condition(slice);
  }

  synchronized List<AttemptKey> ending() {
    return List.copyOf(ending.keySet());
  }

  /** Reports all draining attempts drained. */
  synchronized void drain() {
    ending.forEach(
        (attempt, generation) ->
            waiting.add(report(attempt, generation, AttemptReport.Kind.DRAINED)));
    ending.clear();
    step();
  }

  /** Returns the inputs written since the last call. */
  synchronized List<Input> collectGiven() {
    List<Input> all = List.copyOf(given);
    given.clear();
    return all;
  }

  @Override
  public synchronized List<Received> read(int most) {
    List<Received> all = new ArrayList<>();
    waiting.forEach(input -> all.add(new Received(++last, input)));
    waiting.clear();
    return all;
  }

  @Override
  public synchronized void append(Batch batch) {
    made.add(batch);
  }

  @Override
  public synchronized List<Batch> takeCommitted() {
    List<Batch> all = List.copyOf(made);
    made.clear();
    return all;
  }

  @Override
  public synchronized void start(AttemptKey attempt, int generation) {
    waiting.add(report(attempt, generation, AttemptReport.Kind.STARTED));
  }

  private static Input report(AttemptKey attempt, int generation, AttemptReport.Kind kind) {
    return new Input.Report(new AttemptReport(attempt, generation, kind, null, ""));
  }

  @Override
  public synchronized void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
    ending.put(attempt, generation);
  }

  @Override
  public synchronized Noted read() {
    return new Noted(new TreeMap<>(), away(Noun.SLICE), away(Noun.HOST));
  }

  @Override
  public synchronized void append(List<Input> inputs) {
    given.addAll(inputs);
    waiting.addAll(inputs);
  }

  @Override
  public boolean say(
      CapacityType type, Said said, Predicate<Optional<Said>> precondition, AuditEntry blame) {
    throw new UnsupportedOperationException("a fleet watch says nothing of stock");
  }

  @Override
  public void takeAway(Noun noun, String name, List<Input> inputs, AuditEntry blame) {
    throw new UnsupportedOperationException("a fleet watch takes nothing away for good");
  }

  @Override
  public void giveBack(Noun noun, String name, List<Input> inputs, AuditEntry blame) {
    throw new UnsupportedOperationException("a fleet watch gives nothing back for good");
  }

  private NavigableSet<String> away(Noun noun) {
    return away.computeIfAbsent(noun, absent -> new TreeSet<>());
  }

  /** Records that a caller removed an object, or that it failed. */
  synchronized void note(Noun noun, String name) {
    away(noun).add(name);
  }

  synchronized void forget(Noun noun, String name) {
    away(noun).remove(name);
  }
}
