// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import io.sluice.admission.CapacityProvider;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.topology.SliceOutlook;
import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.scheduler.lifecycle.LeasedPart;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.cluster.ProviderNotes;
import io.sluice.scheduler.store.cluster.ProviderNotes.Noted;
import io.sluice.scheduler.store.cluster.ProviderNotes.Noun;
import io.sluice.scheduler.store.cluster.ProviderNotes.Said;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A capacity provider for the slices of the fleet file. It grants slices after the configured time,
 * or never, or refuses them, and reclaims slices when a caller requests it.
 *
 * <p>Requests of callers (stock, removed slices, failed hosts) are stored, since any server may
 * receive them; the leader reads them each second. Other state is rebuilt after a restart: open
 * requests are sought again, and a leaving slice is gone when its notice ends.
 */
public final class VirtualCapacity extends LeasedPart implements CapacityProvider, Part {
  private static final Logger LOG = Logger.getLogger(VirtualCapacity.class);
  private static final Duration TICK = Duration.ofMillis(250);

  /** Ticks between readings of the stored requests. */
  private static final int TICKS_PER_READING = 4;

  private record Request(SlicePool pool, int slices, Instant since) {}

  private final FleetView view;
  private final ProviderNotes notes;
  private final Consumer<Set<String>> failedHosts;
  private final Clock clock;
  private final Map<RungKey, Request> requests = new LinkedHashMap<>();
  private final Set<String> given = new TreeSet<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "virtual-capacity");
            thread.setDaemon(true);
            return thread;
          });

  private @Nullable Future<?> ticking;
  private final Object reading = new Object();
  private volatile Noted noted = Noted.NOTHING;
  private Set<String> toldFailed = Set.of();
  private int ticks;

  /**
   * Creates a provider that does nothing before {@link #start}, and works only while this server
   * leads.
   *
   * @param notes stores requests and answers durably; a failed call is repeated
   * @param failedHosts receives the failed hosts outside slices on each change
   */
  public VirtualCapacity(
      FleetView view, ProviderNotes notes, Consumer<Set<String>> failedHosts, Clock clock) {
    this.view = view;
    this.notes = notes;
    this.failedHosts = failedHosts;
    this.clock = clock;
  }

  @Override
  public StartOrder place() {
    return StartOrder.CAPACITY;
  }

  /** Starts to answer. */
  @Override
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

  @Override
  public void refused(SliceEvent.GrantRefused grant) {
    LOG.warnf(
        "slices %s, given for %s, are refused: %s", grant.slices(), grant.rung(), grant.fault());
  }

  /** Returns the supply of a capacity type, as callers last set it, else as in the fleet file. */
  public Supply supply(CapacityType type) {
    refreshNoted();
    return (Supply) view.ask(state -> supply(state, type));
  }

  private Supply supply(AdmissionState state, CapacityType type) {
    return supply(state, type, noted.supplies().get(type));
  }

  private static Supply supply(AdmissionState state, CapacityType type, @Nullable Said said) {
    Supply ofFleet = state.fleet().supply(type);
    Supply known = ofFleet == null ? new Supply(type, true, Duration.ZERO, false) : ofFleet;
    return said == null
        ? known
        : new Supply(type, known.provisioned(), said.grantAfter(), said.outOfStock());
  }

  /**
   * Sets the supply of a capacity type; whether its slices must be sought does not change.
   *
   * @param blame the caller
   */
  public Supply say(Supply wanted, AuditEntry blame) {
    boolean unused = say(wanted, before -> true, blame);
    return supply(wanted.capacityType());
  }

  /**
   * As {@link #say(Supply, AuditEntry)}, if the present supply meets a condition.
   *
   * @param precondition checked in the transaction of the change
   * @return whether it was met; otherwise nothing changed
   */
  public boolean say(Supply wanted, Predicate<Supply> precondition, AuditEntry blame) {
    CapacityType type = wanted.capacityType();
    return notes.say(
        type,
        new Said(wanted.grantAfter(), wanted.outOfStock()),
        said ->
            precondition.test((Supply) view.ask(state -> supply(state, type, said.orElse(null)))),
        blame);
  }

  /**
   * Removes a slice; it does not return before it is {@link #giveBack given back}.
   *
   * @param notice time until the removal; zero: at once
   * @param blame the caller
   * @return false if the fleet names no such slice
   */
  public boolean takeAway(String slice, Duration notice, AuditEntry blame) {
    if (!isNamed(slice)) {
      return false;
    }
    List<Input> inputs = List.of(new Input.ReclaimSlice(slice, notice));
    notes.takeAway(Noun.SLICE, slice, inputs, blame);
    goneFrom(slice);
    return true;
  }

  /** Drops promises of a slice that is gone. */
  private void goneFrom(String slice) {
    refreshNoted();
    synchronized (this) {
      given.remove(slice);
    }
  }

  /**
   * Gives a removed slice back: it is there again, or may be sought again if slices of its type
   * must be; but not before all of its hosts are back.
   *
   * @return false if the fleet names no such slice
   */
  public boolean giveBack(String slice, AuditEntry blame) {
    if (!isNamed(slice)) {
      return false;
    }
    TreeSet<String> failed = new TreeSet<>(refreshNoted().failed());
    boolean there = (Boolean) view.ask(state -> comesBackByItself(state, slice, failed));
    notes.giveBack(
        Noun.SLICE, slice, there ? List.of(new Input.ReturnSlice(slice)) : List.of(), blame);
    refreshNoted();
    return true;
  }

  /**
   * Marks a host as failed, and with it its slice: everything on them is gone at once. Idempotent.
   *
   * @return false if the fleet names no such host
   */
  public boolean failHost(String host, AuditEntry blame) {
    HostPlace place = place(host);
    if (!place.known()) {
      return false;
    }
    String slice = place.slice();
    notes.takeAway(
        Noun.HOST,
        host,
        slice == null ? List.of() : List.of(Input.ReclaimSlice.ofFailedHost(slice, host)),
        blame);
    if (slice == null) {
      refreshNoted();
    } else {
      goneFrom(slice);
    }
    return true;
  }

  /**
   * Marks a host as back. Its slice returns with the last of its hosts, unless it was removed as
   * well.
   *
   * @return false if the fleet names no such host
   */
  public boolean returnHost(String host, AuditEntry blame) {
    HostPlace place = place(host);
    if (!place.known()) {
      return false;
    }
    Noted said = refreshNoted();
    TreeSet<String> failed = new TreeSet<>(said.failed());
    boolean hadFailed = failed.remove(host);
    String slice = place.slice();
    boolean there =
        hadFailed
            && slice != null
            && !said.taken().contains(slice)
            && (Boolean) view.ask(state -> comesBackByItself(state, slice, failed));
    notes.giveBack(
        Noun.HOST,
        host,
        there && slice != null ? List.of(new Input.ReturnSlice(slice)) : List.of(),
        blame);
    refreshNoted();
    return true;
  }

  /**
   * The position of a host in the fleet.
   *
   * @param slice null: in no slice
   */
  public record HostPlace(boolean known, @Nullable String slice) {}

  /** Returns the position of a host. */
  public HostPlace place(String host) {
    return (HostPlace)
        view.ask(
            state -> {
              for (Slice slice : state.fleet().slices()) {
                if (slice.hosts().contains(host)) {
                  return new HostPlace(true, slice.name());
                }
              }
              return new HostPlace(
                  state.fleet().hosts().stream().anyMatch(one -> one.name().equals(host)), null);
            });
  }

  /**
   * Whether callers removed a slice or failed one of its hosts, as the leader knew a second ago.
   */
  public boolean isTakenAway(Slice slice) {
    Noted said = noted;
    return said.taken().contains(slice.name())
        || slice.hosts().stream().anyMatch(said.failed()::contains);
  }

  /** Returns the failed hosts. */
  public Set<String> failedHosts() {
    return refreshNoted().failed();
  }

  private boolean isNamed(String slice) {
    return (Boolean) view.ask(state -> state.slices().isOfFleet(slice));
  }

  private static boolean comesBackByItself(AdmissionState state, String name, Set<String> failed) {
    Slice slice = state.slices().find(name);
    boolean absent = state.slices().standings().condition(name) == SliceCondition.ABSENT;
    return slice != null
        && state.slices().isWhole(name)
        && slice.hosts().stream().noneMatch(failed::contains)
        && (!absent || state.fleet().provisioned(slice));
  }

  /**
   * Reads the stored requests. Readings exclude each other: an older, slower one would otherwise
   * replace a newer one, and grant capacity that a caller has removed.
   */
  private Noted refreshNoted() {
    synchronized (reading) {
      Noted read = notes.read();
      noted = read;
      return read;
    }
  }

  /** Reads requests to other servers, and tells the executor the failed hosts. */
  private void readNotes() {
    ticks++;
    if (ticks % TICKS_PER_READING == 1) {
      refreshNoted();
    }
    TreeSet<String> failed = new TreeSet<>(noted.failed());
    if (!failed.isEmpty()) {
      view.ask(
          state -> {
            state.fleet().slices().forEach(slice -> slice.hosts().forEach(failed::remove));
            return true;
          });
    }
    if (!failed.equals(toldFailed)) {
      failedHosts.accept(failed);
      toldFailed = failed;
    }
  }

  /** Grants and refuses what is due, and completes removals. */
  private void answer() {
    try {
      List<Input> answers = new ArrayList<>();
      List<RungKey> answered = new ArrayList<>();
      List<String> promised = new ArrayList<>();
      if (leads()) {
        readNotes();
      }
      if (leads()) {
        view.ask(
            state -> {
              decide(state, answers, answered, promised);
              return true;
            });
      } else {
        forget();
      }
      if (!answers.isEmpty()) {
        send(answers, answered, promised);
      }
    } catch (RuntimeException failure) {
      LOG.warn("answering requests for capacity failed; retrying", failure);
    }
  }

  /**
   * Computes what is due. It takes the lock of the requests inside the question: a commit holds the
   * state and then takes the requests, never in the other order.
   */
  private synchronized void decide(
      AdmissionState state, List<Input> answers, List<RungKey> answered, List<String> promised) {
    given.removeIf(slice -> !absent(state, slice));
    requests.forEach(
        (rung, request) -> {
          Input answer = answer(state, rung, request, promised);
          if (answer != null) {
            answers.add(answer);
            answered.add(rung);
          }
        });
    answers.addAll(gone(state));
    given.addAll(promised);
  }

  /** Forgets open requests: the next leader seeks them anew. */
  private synchronized void forget() {
    requests.clear();
    given.clear();
  }

  private void send(List<Input> answers, List<RungKey> answered, List<String> promised) {
    try {
      notes.append(answers);
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
    List<String> pool = state.slices().sourcesOf(request.pool());
    List<String> free = new ArrayList<>();
    boolean refused = false;
    for (String slice : pool) {
      Slice named = state.slices().find(slice);
      if (named == null) {
        continue;
      }
      Supply supply = supply(state, named.capacityType());
      refused |= supply.outOfStock();
      if (supply.provisioned()) {
        continue; // It exists, or was removed and cannot be sought.
      }
      boolean due =
          supply.grantAfter() != null
              && !request.since().plus(supply.grantAfter()).isAfter(clock.instant());
      boolean to =
          absent(state, slice)
              && state.slices().isWhole(slice)
              && !given.contains(slice)
              && !promised.contains(slice)
              && !noted.taken().contains(slice)
              && named.hosts().stream().noneMatch(noted.failed()::contains);
      if (due && to && !supply.outOfStock()) {
        free.add(slice);
      }
    }
    SliceOutlook outlook = state.slices().outlook(request.pool(), null);
    if (refused) {
      return new Input.RefuseSlices(rung);
    }
    List<String> grant = outlook.needed(request.slices(), free);
    if (grant == null || grant.isEmpty()) {
      return null;
    }
    promised.addAll(grant);
    return new Input.GrantSlices(rung, grant);
  }

  private static boolean absent(AdmissionState state, String slice) {
    return state.slices().standings().condition(slice) == SliceCondition.ABSENT;
  }

  /** Returns inputs for slices whose notice has ended. */
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
