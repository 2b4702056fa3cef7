// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.admission.AdmissionRound;
import io.sluice.admission.Journal;
import io.sluice.admission.Launcher;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.cluster.ProviderNotes;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.FleetBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The provider and the engine, with a journal in memory between them. */
class VirtualCapacityTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AuditEntry BLAME =
      new AuditEntry(
          Caller.SERVER,
          AuditEntry.Action.UPDATE,
          "Slice",
          "",
          "p",
          null,
          JsonNodeFactory.instance.objectNode());

  /** Inputs as they come in, batches as they are made. */
  private static final class MemoryJournal implements Journal {
    private final List<Input> waiting = new ArrayList<>();
    private final List<Batch> made = new ArrayList<>();
    private long last;

    synchronized void add(List<Input> inputs) {
      waiting.addAll(inputs);
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
  }

  /** Notes as the database keeps them. */
  private final class MemoryNotes implements ProviderNotes {
    private final TreeMap<CapacityType, Said> supplies = new TreeMap<>();
    private final Map<Noun, NavigableSet<String>> away =
        new TreeMap<>(Map.of(Noun.SLICE, new TreeSet<>(), Noun.HOST, new TreeSet<>()));

    /** Passed by a reading that the provider began itself, when it has read and when it may go. */
    private volatile @Nullable CyclicBarrier slowReading;

    @Override
    public Noted read() {
      Noted read = present();
      CyclicBarrier barrier = slowReading;
      if (barrier != null && Thread.currentThread().getName().equals("virtual-capacity")) {
        slowReading = null;
        pass(barrier);
        pass(barrier);
      }
      return read;
    }

    private synchronized Noted present() {
      return new Noted(supplies, away(Noun.SLICE), away(Noun.HOST));
    }

    private NavigableSet<String> away(Noun noun) {
      return away.computeIfAbsent(noun, absent -> new TreeSet<>());
    }

    @Override
    public void append(List<Input> inputs) {
      journal.add(inputs);
    }

    @Override
    public synchronized boolean say(
        CapacityType type, Said said, Predicate<Optional<Said>> precondition, AuditEntry blame) {
      boolean met = precondition.test(Optional.ofNullable(supplies.get(type)));
      if (met) {
        supplies.put(type, said);
      }
      return met;
    }

    @Override
    public synchronized void takeAway(
        Noun noun, String name, List<Input> inputs, AuditEntry blame) {
      away(noun).add(name);
      journal.add(inputs);
    }

    @Override
    public synchronized void giveBack(
        Noun noun, String name, List<Input> inputs, AuditEntry blame) {
      away(noun).remove(name);
      journal.add(inputs);
    }
  }

  /** Attempts are gone as soon as they are told to end. */
  private final class Ending implements Launcher {
    @Override
    public void start(AttemptKey attempt, int generation) {}

    @Override
    public void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
      AttemptReport gone =
          new AttemptReport(attempt, generation, AttemptReport.Kind.DRAINED, null, "");
      journal.add(List.of(new Input.Report(gone)));
    }
  }

  private final MemoryJournal journal = new MemoryJournal();
  private final MemoryNotes notes = new MemoryNotes();
  private final AtomicReference<Set<String>> failedHosts = new AtomicReference<>(Set.of());
  private AdmissionState state = AdmissionState.restore(StateSnapshot.empty());
  private VirtualCapacity capacity = capacity();
  private AdmissionRound round = round();

  private static void pass(CyclicBarrier barrier) {
    try {
      barrier.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException failure) {
      throw new AssertionError(failure);
    }
  }

  private VirtualCapacity capacity() {
    VirtualCapacity made =
        new VirtualCapacity(this::ask, notes, failedHosts::set, Clock.systemUTC());
    made.beginLeading(() -> true);
    made.start();
    return made;
  }

  private AdmissionRound round() {
    return new AdmissionRound(state, 0, journal, new Ending(), Instant::now, capacity);
  }

  private synchronized Object ask(Function<AdmissionState, Object> question) {
    return question.apply(state);
  }

  private synchronized void step() {
    round.step();
  }

  @AfterEach
  void end() {
    capacity.close();
  }

  private void await(String what, BooleanSupplier condition) {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(deadline);
      step();
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  @Test
  void whoHoldsTheStateDoesNotWaitForAnAnswerThatWaitsForTheState() throws Exception {
    synchronized (this) {
      // Several ticks: an answer is under way, and wants to see the state.
      Thread.sleep(Duration.ofSeconds(2).toMillis());
      assertThat(CompletableFuture.runAsync(() -> capacity.release(List.of("p1"))))
          .succeedsWithin(PATIENCE);
    }
  }

  private void setUp(@Nullable Duration grantAfter, boolean outOfStock) {
    setUp(new Supply(CapacityType.SPOT, false, grantAfter, outOfStock));
  }

  private void setUp(Supply supply) {
    Labels spot = Labels.of(Map.of(NodeLabels.SPOT, "true"));
    List<Input> inputs = new ArrayList<>();
    inputs.add(
        new Input.SetObject(
            new ResourceFlavor(ObjectMeta.named("spot"), spot, List.of(), List.of()), 1));
    inputs.add(
        new Input.SetObject(
            ManifestReader.readQuotaObject(
                ObjectKind.COMPUTE_CLASS,
                """
                apiVersion: cloud.google.com/v1
                kind: ComputeClass
                metadata: {name: ladder}
                spec: {priorities: [{spot: true}]}
                """),
            1));
    inputs.add(
        new Input.SetObject(
            ClusterQueueBuilder.named("q")
                .quota("spot", new ResourceQuota(ResourceName.TPU, 32, null, null))
                .build(),
            1));
    inputs.add(
        new Input.SetObject(
            new LocalQueue(ObjectMeta.named("default", "q"), "q", StopPolicy.NONE), 1));
    inputs.add(
        new Input.SetFleet(
            FleetBuilder.fleet()
                .slices(2, "p", "v6e", "4x4", CapacityType.SPOT, spot)
                .supply(supply)
                .build()));
    inputs.add(
        new Input.SubmitJob(
            WorkloadBuilder.named("train", 1)
                .queue("default", "q")
                .slices(1, "v6e", "4x4")
                .computeClass("ladder")
                .createdAt(Instant.now())
                .build()));
    journal.add(inputs);
  }

  private JobEntry train() {
    JobEntry job = state.findJob(WorkloadBuilder.id(1));
    if (job == null) {
      throw new AssertionError("the job has ended");
    }
    return job;
  }

  private boolean holds(String slice) {
    AttemptKey holder = state.slices().holder(slice);
    return holder != null && holder.job().equals(WorkloadBuilder.id(1));
  }

  private boolean submitted() {
    return state.findJob(WorkloadBuilder.id(1)) != null;
  }

  @Test
  void whatIsSoughtIsGrantedAndUsed() {
    setUp(Duration.ofMillis(300), false);
    await("admitted", () -> holds("p1"));
    assertThat(state.slices().standings().condition("p2")).isEqualTo(SliceCondition.ABSENT);
  }

  @Test
  void whatIsOutOfStockIsRefusedUntilACallerSaysOtherwise() {
    setUp(Duration.ZERO, true);
    await("closed", () -> submitted() && !train().ladder().isEmpty() && closed());
    assertThat(
            capacity
                .say(new Supply(CapacityType.SPOT, true, Duration.ZERO, false), BLAME)
                .provisioned())
        .isFalse();
    assertThat(capacity.supply(CapacityType.SPOT).outOfStock()).isFalse();
  }

  @Test
  void aSupplyThatFailsThePreconditionStaysAsItIs() {
    setUp(Duration.ZERO, false);
    capacity.say(new Supply(CapacityType.SPOT, false, Duration.ZERO, true), BLAME);
    Supply open = new Supply(CapacityType.SPOT, false, Duration.ZERO, false);
    assertThat(capacity.say(open, present -> !present.outOfStock(), BLAME)).isFalse();
    assertThat(capacity.supply(CapacityType.SPOT).outOfStock()).isTrue();
    assertThat(capacity.say(open, Supply::outOfStock, BLAME)).isTrue();
    assertThat(capacity.supply(CapacityType.SPOT).outOfStock()).isFalse();
    assertThat(capacity.say(open, Supply::outOfStock, BLAME)).isFalse();
  }

  @Test
  void whatIsThereUnsoughtAndWasTakenAwayIsRefusedWhenItIsOutOfStock() {
    setUp(new Supply(CapacityType.SPOT, true, Duration.ZERO, true));
    await("admitted", () -> holds("p1"));
    assertThat(capacity.takeAway("p2", Duration.ZERO, BLAME)).isTrue();
    assertThat(capacity.takeAway("p1", Duration.ZERO, BLAME)).isTrue();
    await("closed", () -> train().live().isEmpty() && !train().ladder().isEmpty() && closed());
    assertThat(capacity.giveBack("p2", BLAME)).isTrue();
    await("there", () -> state.slices().standings().condition("p2") == SliceCondition.READY);
  }

  private boolean closed() {
    return train().ladder().values().stream().anyMatch(rung -> rung.closedAt(state.now()));
  }

  private boolean isTakenAway(String slice) {
    return capacity.isTakenAway(
        state.fleet().slices().stream()
            .filter(one -> one.name().equals(slice))
            .findFirst()
            .orElseThrow());
  }

  @Test
  void aSliceThatIsTakenAwayComesNotBackBeforeItIsGivenBack() {
    setUp(Duration.ZERO, false);
    await("admitted", () -> holds("p1"));
    assertThat(isTakenAway("p1")).isFalse();
    assertThat(capacity.takeAway("p1", Duration.ZERO, BLAME)).isTrue();
    assertThat(isTakenAway("p1")).isTrue();
    await("on the other", () -> holds("p2"));
    assertThat(train().failures(0)).isZero();
    assertThat(capacity.takeAway("p2", Duration.ofMillis(200), BLAME)).isTrue();
    await("nowhere", () -> train().live().isEmpty());
    assertThat(capacity.giveBack("p1", BLAME)).isTrue();
    assertThat(isTakenAway("p1")).isFalse();
    await("back on the first", () -> holds("p1"));
    assertThat(train().failures(0)).isZero();
    assertThat(capacity.giveBack("p9", BLAME)).isFalse();
  }

  @Test
  void aReadingThatTookLongerDoesNotReplaceALaterOne() {
    setUp(Duration.ZERO, false);
    await("admitted", () -> holds("p1"));
    CyclicBarrier barrier = new CyclicBarrier(2);
    notes.slowReading = barrier;
    pass(barrier);
    CompletableFuture<Boolean> taken =
        CompletableFuture.supplyAsync(() -> capacity.takeAway("p1", Duration.ZERO, BLAME));
    await("said", () -> notes.present().taken().contains("p1"));
    // A later reading would be done by now, if it did not wait for the one before it.
    LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
    pass(barrier);
    assertThat(taken).succeedsWithin(PATIENCE);
    for (int look = 0; look < 50; look++) {
      assertThat(isTakenAway("p1")).isTrue();
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  @Test
  void aSliceIsBackWithTheLastOfItsHosts() {
    setUp(Duration.ZERO, false);
    await("admitted", () -> holds("p1"));
    assertThat(capacity.failHost("p1-0", BLAME)).isTrue();
    assertThat(capacity.failHost("p1-3", BLAME)).isTrue();
    assertThat(isTakenAway("p1")).isTrue();
    await("on the other", () -> holds("p2"));
    assertThat(train().failures(0)).isZero();
    assertThat(capacity.failHost("p2-1", BLAME)).isTrue();
    await("nowhere", () -> train().live().isEmpty());
    assertThat(capacity.returnHost("p1-0", BLAME)).isTrue();
    assertThat(capacity.failedHosts().contains("p1-0")).isFalse();
    assertThat(capacity.failedHosts().contains("p1-3")).isTrue();
    for (int time = 0; time < 20; time++) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      step();
    }
    assertThat(train().live()).isEmpty();
    assertThat(capacity.returnHost("p1-3", BLAME)).isTrue();
    await("back on the first", () -> holds("p1"));
    assertThat(capacity.failHost("p9-0", BLAME)).isFalse();
    assertThat(capacity.returnHost("p9-0", BLAME)).isFalse();
    assertThat(failedHosts.get()).isEmpty();
  }

  @Test
  void whatWasTakenAwayStaysSoAfterARestart() {
    setUp(Duration.ZERO, true);
    await("closed", () -> submitted() && !train().ladder().isEmpty() && closed());
    capacity.takeAway("p1", Duration.ZERO, BLAME);
    capacity.say(new Supply(CapacityType.SPOT, false, Duration.ZERO, false), BLAME);
    step();
    capacity.close();
    state = AdmissionState.restore(state.snapshot());
    capacity = capacity();
    round = round();
    round.resume();
    assertThat(capacity.supply(CapacityType.SPOT).outOfStock()).isFalse();
    journal.add(
        List.of(
            new Input.SubmitJob(
                WorkloadBuilder.named("next", 2)
                    .queue("default", "q")
                    .slices(1, "v6e", "4x4")
                    .computeClass("ladder")
                    .createdAt(Instant.now())
                    .build())));
    await("admitted", () -> state.slices().holder("p2") != null);
    assertThat(state.slices().standings().condition("p1")).isEqualTo(SliceCondition.ABSENT);
  }

  @Test
  void whatIsWaitedForIsSoughtAgainAfterARestart() {
    setUp(null, false);
    await("waits", () -> submitted() && !state.ladders().waiting().isEmpty());
    step();
    capacity.close();
    state = AdmissionState.restore(state.snapshot());
    capacity = capacity();
    round = round();
    round.resume();
    capacity.say(new Supply(CapacityType.SPOT, true, Duration.ZERO, false), BLAME);
    await("admitted", () -> holds("p1"));
  }
}
