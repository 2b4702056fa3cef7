// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import io.sluice.admission.CapacityProvider;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.job.Input;
import io.sluice.queuemodel.job.RungKey;
import io.sluice.scheduler.store.AuditEntry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A provider of the slices that the fleet file names: gives what is sought after the time that the
 * file says, or never, or refuses it, and takes slices back when a caller says so.
 *
 * <p>What it knows is made anew after a restart: what is waited for is sought again, and what is
 * leaving is gone when its time has come. What callers said of its stock, and which slices they
 * took away, is forgotten then: the file counts again.
 */
public final class VirtualCapacity implements CapacityProvider, AutoCloseable {
  private static final Logger LOG = Logger.getLogger(VirtualCapacity.class);
  private static final Duration TICK = Duration.ofMillis(250);

  private record Request(SlicePool pool, int slices, Instant since) {}

  private final FleetView view;
  private final BiConsumer<List<Input>, List<AuditEntry>> inputs;
  private final BooleanSupplier leads;
  private final Clock clock;
  private final Map<RungKey, Request> requests = new LinkedHashMap<>();
  private final Map<CapacityType, Supply> said = new EnumMap<>(CapacityType.class);
  private final Set<String> given = new TreeSet<>();
  private final Set<String> takenAway = new TreeSet<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "virtual-capacity");
            thread.setDaemon(true);
            return thread;
          });

  private @Nullable Future<?> ticking;

  /**
   * A provider that does nothing before {@link #start}.
   *
   * @param leads whether this server leads: it is asked only then, and answers only then
   * @param inputs makes its answers durable, and who is to blame; may fail, and is then called
   *     again
   */
  public VirtualCapacity(
      FleetView view,
      BooleanSupplier leads,
      BiConsumer<List<Input>, List<AuditEntry>> inputs,
      Clock clock) {
    this.leads = leads;
    this.view = view;
    this.inputs = inputs;
    this.clock = clock;
  }

  /** Begins to answer. */
  public void start() {
    ticking =
        timer.scheduleWithFixedDelay(
            this::answer, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public synchronized void seek(RungKey rung, SlicePool pool, int slices) {
    Request known = requests.get(rung);
    if (known == null || !known.pool().equals(pool) || known.slices() != slices) {
      requests.put(rung, new Request(pool, slices, clock.instant()));
    }
  }

  @Override
  public synchronized void withdraw(RungKey rung) {
    requests.remove(rung);
  }

  @Override
  public synchronized void release(List<String> slices) {
    slices.forEach(given::remove);
  }

  /** How slices of a type come, as callers said last, else as the fleet says. */
  public synchronized Supply supply(CapacityType type) {
    Supply known = said.get(type);
    if (known != null) {
      return known;
    }
    Supply ofFleet = (Supply) view.ask(state -> orProvisioned(state, type));
    return ofFleet;
  }

  private static Supply orProvisioned(AdmissionState state, CapacityType type) {
    Supply known = state.fleet().supply(type);
    return known == null ? new Supply(type, true, Duration.ZERO, false) : known;
  }

  /**
   * Says how slices of a type come from now on; whether they have to be sought stays as it is.
   *
   * @param blame who says so
   */
  public synchronized Supply say(Supply wanted, AuditEntry blame) {
    CapacityType type = wanted.capacityType();
    Supply changed =
        new Supply(type, supply(type).provisioned(), wanted.grantAfter(), wanted.outOfStock());
    inputs.accept(List.of(), List.of(blame));
    said.put(type, changed);
    return changed;
  }

  /**
   * Takes a slice away; it does not come again before it is {@link #giveBack given back}.
   *
   * @param notice until then; zero: at once
   * @param blame who does
   * @return false if the fleet names no such slice
   */
  public boolean takeAway(String slice, Duration notice, AuditEntry blame) {
    synchronized (this) {
      if (!isNamed(slice)) {
        return false;
      }
      takenAway.add(slice);
      given.remove(slice);
    }
    inputs.accept(List.of(new Input.ReclaimSlice(slice, notice)), List.of(blame));
    return true;
  }

  /**
   * Gives a slice back that was taken away: it is there again, or may be sought again where slices
   * of its type have to be.
   *
   * @return false if the fleet names no such slice
   */
  public boolean giveBack(String slice, AuditEntry blame) {
    boolean there;
    synchronized (this) {
      if (!isNamed(slice)) {
        return false;
      }
      takenAway.remove(slice);
      there = (Boolean) view.ask(state -> comesBackByItself(state, slice));
    }
    List<Input> back = there ? List.of(new Input.ReturnSlice(slice)) : List.of();
    inputs.accept(back, List.of(blame));
    return true;
  }

  private boolean isNamed(String slice) {
    return (Boolean) view.ask(state -> state.slices().find(slice) != null);
  }

  private static boolean comesBackByItself(AdmissionState state, String name) {
    Slice slice = state.slices().find(name);
    boolean absent = state.slices().standings().condition(name) == SliceCondition.ABSENT;
    return slice != null && (!absent || state.fleet().provisioned(slice.capacityType()));
  }

  /** Gives and refuses what is due, and takes what has left. */
  private void answer() {
    try {
      List<Input> answers = new ArrayList<>();
      List<RungKey> answered = new ArrayList<>();
      List<String> promised = new ArrayList<>();
      synchronized (this) {
        if (!leads.getAsBoolean()) {
          // Who leads next seeks anew what is waited for.
          requests.clear();
          given.clear();
          return;
        }
        Map<RungKey, Request> open = new LinkedHashMap<>(requests);
        view.ask(
            state -> {
              given.removeIf(slice -> !absent(state, slice));
              open.forEach(
                  (rung, request) -> {
                    Input answer = answer(state, rung, request, promised);
                    if (answer != null) {
                      answers.add(answer);
                      answered.add(rung);
                    }
                  });
              answers.addAll(gone(state));
              return true;
            });
        given.addAll(promised);
      }
      if (!answers.isEmpty()) {
        send(answers, answered, promised);
      }
    } catch (RuntimeException failure) {
      LOG.warn("capacity is answered for later", failure);
    }
  }

  private void send(List<Input> answers, List<RungKey> answered, List<String> promised) {
    try {
      inputs.accept(answers, List.of());
      synchronized (this) {
        answered.forEach(requests::remove);
      }
    } catch (RuntimeException failure) {
      synchronized (this) {
        promised.forEach(given::remove);
      }
      throw failure;
    }
  }

  private @Nullable Input answer(
      AdmissionState state, RungKey rung, Request request, List<String> promised) {
    List<String> pool = state.slices().of(request.pool());
    List<String> free = new ArrayList<>();
    boolean refused = false;
    for (String slice : pool) {
      Slice named = state.slices().find(slice);
      if (named == null || state.fleet().provisioned(named.capacityType())) {
        continue;
      }
      Supply known = said.get(named.capacityType());
      Supply supply = known == null ? orProvisioned(state, named.capacityType()) : known;
      refused |= supply.outOfStock();
      boolean due =
          supply.grantAfter() != null
              && !request.since().plus(supply.grantAfter()).isAfter(clock.instant());
      boolean to =
          absent(state, slice)
              && !given.contains(slice)
              && !promised.contains(slice)
              && !takenAway.contains(slice);
      if (due && to && !supply.outOfStock()) {
        free.add(slice);
      }
    }
    int missing = request.slices() - state.slices().free(request.pool(), request.slices()).size();
    if (refused) {
      return new Input.RefuseSlices(rung);
    }
    if (missing <= 0 || free.size() < missing) {
      return null;
    }
    List<String> grant = List.copyOf(free.subList(0, missing));
    promised.addAll(grant);
    return new Input.GrantSlices(rung, grant);
  }

  private static boolean absent(AdmissionState state, String slice) {
    return state.slices().standings().condition(slice) == SliceCondition.ABSENT;
  }

  /** Slices whose notice has passed. */
  private List<Input> gone(AdmissionState state) {
    List<Input> gone = new ArrayList<>();
    for (SliceStanding standing : state.slices().standings().all()) {
      Instant until = standing.until();
      if (standing.condition() == SliceCondition.LEAVING
          && until != null
          && !until.isAfter(clock.instant())) {
        gone.add(new Input.ReclaimSlice(standing.slice(), Duration.ZERO));
      }
    }
    return Collections.unmodifiableList(gone);
  }

  @Override
  public void close() {
    if (ticking != null) {
      ticking.cancel(false);
    }
    timer.shutdownNow();
  }
}
