// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import io.sluice.admission.CapacityProvider;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.scheduler.execution.capacity.FleetView;
import io.sluice.scheduler.execution.kubernetes.fleet.Obtainable;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingStep.Creation;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingStep.Grant;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingStep.Outcome;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingStep.Refusal;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingStep.Sight;
import io.sluice.scheduler.lifecycle.LeasedPart;
import io.sluice.scheduler.store.cluster.ProvisionedSlice;
import io.sluice.scheduler.store.cluster.ProvisionedSliceRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The capacity provider for slices that clusters' autoscalers may add.
 *
 * <p>Each second, and when something is sought or withdrawn, the leader reconciles Sluice's
 * provisioning objects in the clusters with the waiting rungs. It needs no state of earlier passes,
 * so any leader can continue. While there are neither wants nor objects, it lists the clusters once
 * in ten minutes, as often as watches are renewed.
 */
public final class ClusterCapacity extends LeasedPart implements CapacityProvider, AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ClusterCapacity.class);
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration SWEPT_EVERY = Duration.ofMinutes(10);

  /** By then the engine knows an answer, or the answer was lost. */
  private static final Duration ANSWERED_FOR = Duration.ofSeconds(5);

  /** Pause after a cluster refused an object. */
  private static final Duration REFUSED_FOR = Duration.ofSeconds(10);

  private final Supplier<? extends List<? extends CallingDoor>> doors;
  private final FleetView view;
  private final Predicate<Slice> well;
  private final ProvisionedSliceRows rows;
  private final Clock clock;
  private final CallingPast past = new CallingPast();
  private final Obtainable.Reading reading = new Obtainable.Reading();
  private final Map<String, Instant> answered = new HashMap<>();
  private final Map<String, Instant> promised = new HashMap<>();
  private final Map<String, Instant> refusedAt = new HashMap<>();
  private final Set<String> classified = new HashSet<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "cluster-capacity");
            thread.setDaemon(true);
            return thread;
          });

  /** Provisioned slices by name; null: not read since this leadership began. */
  private @Nullable Map<String, ProvisionedSlice> provisioned;

  private Instant sweptAt = Instant.MIN;
  private boolean anythingThere;

  /** The relevant part of the engine's state. */
  private record Picture(
      List<Want> wants, List<ResourceFlavor> flavors, Set<String> held, Set<String> kept) {}

  /**
   * Creates a provider that does nothing before {@link #start}, and works only while this server
   * leads.
   *
   * @param doors supplies access to all current clusters, the default one first
   * @param well whether a slice of the fleet is healthy
   */
  public ClusterCapacity(
      Supplier<? extends List<? extends CallingDoor>> doors,
      FleetView view,
      Predicate<Slice> well,
      ProvisionedSliceRows rows,
      Clock clock) {
    this.doors = doors;
    this.view = view;
    this.well = well;
    this.rows = rows;
    this.clock = clock;
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Starts the passes. */
  public void start() {
    var unused =
        timer.scheduleWithFixedDelay(
            this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void seek(RungKey rung, SlicePool pool, int slices) {
    wake();
  }

  @Override
  public void withdraw(RungKey rung) {
    wake();
  }

  /** Does nothing: the autoscaler removes unused nodes. */
  @Override
  public void release(List<String> slices) {
    wake();
  }

  @Override
  public void refused(SliceEvent.GrantRefused grant) {
    LOG.warnf(
        "slices %s, given for %s, are refused: %s", grant.slices(), grant.rung(), grant.fault());
  }

  private void wake() {
    if (timer.getQueue().size() > 1) {
      return; // another caller has already scheduled a pass
    }
    try {
      var unused = timer.schedule(this::tick, 0, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("a pass is dropped: the provider is closed", closed);
    }
  }

  private void tick() {
    try {
      pass();
    } catch (RuntimeException failure) {
      LOG.warn("provisioning capacity failed; retrying", failure);
    }
  }

  /** Runs one pass. */
  void pass() {
    if (!leads()) {
      provisioned = null;
      past.forget();
      answered.clear();
      promised.clear();
      sweptAt = Instant.MIN;
      return;
    }
    Instant now = clock.instant();
    answered.values().removeIf(at -> !now.isBefore(at.plus(ANSWERED_FOR)));
    promised.values().removeIf(at -> !now.isBefore(at.plus(ANSWERED_FOR)));
    refusedAt.values().removeIf(at -> !now.isBefore(at.plus(REFUSED_FOR)));
    Map<String, ProvisionedSlice> known = known();
    Picture picture = (Picture) view.ask(state -> picture(state, Set.copyOf(known.keySet())));
    forgetAllBut(picture.held(), known);
    boolean idle = picture.wants().isEmpty() && known.isEmpty() && !anythingThere;
    if (idle && sweptAt.isAfter(now.minus(SWEPT_EVERY))) {
      return;
    }
    List<? extends CallingDoor> open = doors.get();
    Map<String, CallingDoor> reached = new LinkedHashMap<>();
    List<CallingObject> seen = see(open, reached);
    anythingThere = !seen.isEmpty() || reached.size() < open.size();
    sweptAt = now;
    Map<String, Obtainable> obtainable = new HashMap<>();
    reading.read(picture.flavors()).forEach(one -> obtainable.put(one.flavor().meta().name(), one));
    Sight sight =
        new Sight(
            picture.wants().stream().filter(want -> !answered.containsKey(want.name())).toList(),
            Set.copyOf(answered.keySet()),
            obtainable,
            open.isEmpty() ? "" : open.get(0).cluster(),
            reached.keySet(),
            seen,
            known.values(),
            picture.kept());
    carryOut(CallingStep.of(sight, past, now), reached, known, now);
  }

  private Map<String, ProvisionedSlice> known() {
    Map<String, ProvisionedSlice> known = provisioned;
    if (known == null) {
      known = new HashMap<>();
      for (ProvisionedSlice one : rows.all()) {
        known.put(one.slice(), one);
      }
      provisioned = known;
    }
    return known;
  }

  /**
   * Reads the engine's state.
   *
   * @param known slices that came by requests
   */
  private Picture picture(AdmissionState state, Set<String> known) {
    Set<String> held = new HashSet<>();
    Set<String> kept = new HashSet<>();
    for (String slice : known) {
      if (promised.containsKey(slice)
          || (state.slices().isOfFleet(slice)
              && state.slices().standings().condition(slice) != SliceCondition.ABSENT)) {
        held.add(slice);
      }
      SliceStanding standing = state.slices().standings().find(slice);
      if (standing != null
          && standing.condition() == SliceCondition.READY
          && standing.keptFor() != null) {
        kept.add(slice);
      }
    }
    return new Picture(
        CapacityPlan.of(state, well, promised.keySet(), answered.keySet()),
        Obtainable.flavors(state),
        held,
        kept);
  }

  private void forgetAllBut(Set<String> held, Map<String, ProvisionedSlice> known) {
    List<String> over = known.keySet().stream().filter(slice -> !held.contains(slice)).toList();
    if (!over.isEmpty()) {
      rows.forget(over);
      over.forEach(known::remove);
    }
  }

  /** Lists Sluice's objects in the clusters that answer, and records which answered. */
  private static List<CallingObject> see(
      List<? extends CallingDoor> doors, Map<String, CallingDoor> reached) {
    List<CallingObject> seen = new ArrayList<>();
    for (CallingDoor door : doors) {
      List<CallingObject> here = new ArrayList<>();
      try {
        for (CallingKind kind : CallingKind.values()) {
          door.list(kind, CallingObject.SOUGHT_FOR)
              .forEach(
                  object -> {
                    CallingObject one = CallingObject.of(door.cluster(), kind, object);
                    if (one != null) {
                      here.add(one);
                    }
                  });
        }
        seen.addAll(here);
        reached.put(door.cluster(), door);
      } catch (NotCarriedOutException away) {
        LOG.debugf("cannot list cluster %s; retrying: %s", door.cluster(), away.getMessage());
      }
    }
    return seen;
  }

  private void carryOut(
      Outcome outcome,
      Map<String, CallingDoor> doors,
      Map<String, ProvisionedSlice> known,
      Instant now) {
    answer(outcome, known, now);
    Set<JobId> ours =
        rows.known(new TreeSet<>(outcome.deletions().stream().map(CallingObject::job).toList()));
    for (CallingObject object : outcome.deletions()) {
      CallingDoor door = doors.get(object.cluster());
      if (door != null && ours.contains(object.job()) && leads()) {
        delete(door, object);
      }
    }
    for (Creation creation : outcome.creations()) {
      CallingDoor door = doors.get(creation.cluster());
      if (door != null && !refusedAt.containsKey(creation.want().name()) && leads()) {
        create(door, creation, now);
      }
    }
  }

  private static void delete(CallingDoor door, CallingObject object) {
    try {
      door.delete(object.kind(), object.namespace(), object.name(), object.uid());
    } catch (NotCarriedOutException failure) {
      LOG.warnf("cannot delete %s; retrying: %s", object.name(), failure.getMessage());
    }
  }

  private void create(CallingDoor door, Creation creation, Instant now) {
    try {
      if (creation.kind() == CallingKind.POD && classified.add(door.cluster())) {
        door.requirePriorityClass(CallingManifests.priorityClass());
      }
      door.create(creation.kind(), creation.object());
    } catch (NotCarriedOutException failure) {
      classified.remove(door.cluster());
      refusedAt.put(creation.want().name(), now);
      LOG.warnf(
          "cannot request capacity for %s; retrying: %s",
          creation.want().rung(), failure.getMessage());
    }
  }

  private void answer(Outcome outcome, Map<String, ProvisionedSlice> known, Instant now) {
    List<Input> answers = new ArrayList<>();
    List<String> given = new ArrayList<>();
    List<ProvisionedSlice> by = new ArrayList<>();
    for (Grant grant : outcome.grants()) {
      answers.add(new Input.GrantSlices(grant.want().rung(), grant.want().there()));
      given.addAll(grant.want().there());
      by.addAll(grant.provisioned());
    }
    for (Refusal refusal : outcome.refusals()) {
      LOG.infof("%s is given nothing: %s", refusal.rung(), refusal.why());
      answers.add(new Input.RefuseSlices(refusal.rung()));
    }
    for (String slice : outcome.reclaimed()) {
      if (!promised.containsKey(slice)) {
        answers.add(new Input.ReclaimSlice(slice, Duration.ZERO));
      }
    }
    if (answers.isEmpty()) {
      return;
    }
    rows.answer(answers, given, by);
    given.forEach(known::remove);
    by.forEach(one -> known.put(one.slice(), one));
    markAnswered(outcome, now);
  }

  private void markAnswered(Outcome outcome, Instant now) {
    for (Grant grant : outcome.grants()) {
      answered.put(grant.want().name(), now);
      grant.want().there().forEach(slice -> promised.put(slice, now));
    }
    outcome.refusals().forEach(refusal -> answered.put(refusal.name(), now));
    outcome.reclaimed().forEach(slice -> promised.put(slice, now));
  }

  @Override
  public void close() {
    timer.shutdownNow();
    try {
      boolean unused = timer.awaitTermination(ANSWERED_FOR.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
