// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.scheduler.execution.capacity.FleetView;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetComposition.Composed;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetInputs.Known;
import io.sluice.scheduler.execution.kubernetes.fleet.SliceLosses.Loss;
import io.sluice.scheduler.lifecycle.LeasedPart;
import io.sluice.scheduler.store.cluster.ProviderNotes;
import io.sluice.scheduler.store.cluster.ProviderNotes.Noted;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the engine's fleet in line with the clusters' nodes and the fleet file.
 *
 * <p>Twice a second the leader compares the observed nodes with the engine's fleet. It reports lost
 * and recovered slices at once, and the whole fleet as {@link FleetPace} allows. A slice that
 * misses nodes stays in the fleet, out of service, for ten minutes: most are repaired. A cluster
 * that cannot be reached causes no input.
 */
public final class FleetWatch extends LeasedPart implements AutoCloseable {
  static final Duration REMEMBERED = Duration.ofMinutes(10);

  /** Time without a repetition of an input; the engine has it long before. */
  private static final Duration TOLD_FOR = Duration.ofSeconds(5);

  private static final Duration TICK = Duration.ofMillis(500);
  private static final Logger LOG = Logger.getLogger(FleetWatch.class);

  private final Supplier<? extends List<? extends NodeSource>> sources;
  private final Fleet file;
  private final FleetView view;
  private final ProviderNotes notes;
  private final Clock clock;
  private final FleetPace pace = new FleetPace();
  private final Map<Input, Instant> told = new HashMap<>();
  private final Map<String, Instant> missingSince = new HashMap<>();
  private final Obtainable.Reading obtainable = new Obtainable.Reading();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "fleet-watch");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable Future<?> ticking;
  private @Nullable Outlook outlook;
  private volatile List<NodeSource> clusters;
  private volatile @Nullable Set<String> lost;
  private volatile SortedMap<String, String> refused = new TreeMap<>();

  /**
   * The result of a comparison; computed anew only when its inputs change.
   *
   * @param known the engine's fleet
   * @param losses losses of its slices
   * @param obtainable capacity that may be provisioned
   * @param placing as in {@link Known#placing}
   * @param wanted the fleet that the engine should have
   * @param same whether {@code wanted} equals {@code known}
   */
  private record Outlook(
      Fleet known,
      List<ClusterSight> sights,
      Set<String> remembered,
      SortedMap<String, Loss> losses,
      List<Obtainable> obtainable,
      List<Labels> placing,
      Fleet wanted,
      boolean same) {
    /** Compares by identity: comparing whole fleets twice a second would cost more. */
    @SuppressWarnings("ReferenceEquality")
    boolean holds(
        Known engine, List<ClusterSight> seen, Set<String> kept, List<Obtainable> mayBeHad) {
      boolean sameSights = sights.size() == seen.size();
      for (int at = 0; sameSights && at < seen.size(); at++) {
        sameSights =
            sights.get(at).cluster().equals(seen.get(at).cluster())
                && sights.get(at).observed() == seen.get(at).observed();
      }
      return engine.fleet() == known
          && sameSights
          && obtainable == mayBeHad
          && placing.equals(engine.placing())
          && remembered.equals(kept);
    }
  }

  /**
   * Creates a watch that does nothing before {@link #start}, and writes inputs only while this
   * server leads.
   *
   * @param sources supplies the sources of all current clusters, the default one first; the watch
   *     closes those of removed ones
   * @param file the fleet file; the composed fleet has its executor
   * @param notes writes inputs durably, and reads what callers removed; a failed call is repeated
   * @throws InvalidValueException if slices of the file must be sought: all slices of a capacity
   *     type have one supply, and those of clusters come by themselves
   */
  public FleetWatch(
      Supplier<? extends List<? extends NodeSource>> sources,
      Fleet file,
      FleetView view,
      ProviderNotes notes,
      Clock clock) {
    for (Supply supply : file.supplies()) {
      if (!supply.provisioned()) {
        throw new InvalidValueException(
            "capacity of the fleet file that has to be sought ("
                + supply.capacityType().word()
                + ") cannot stand beside clusters");
      }
    }
    this.sources = sources;
    this.clusters = List.copyOf(sources.get());
    this.file = file;
    this.view = view;
    this.notes = notes;
    this.clock = clock;
  }

  /** Starts the watch. */
  public void start() {
    ticking = timer.scheduleWithFixedDelay(this::tick, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * The state of a cluster.
   *
   * @param unreachableSince null: it answers
   * @param nodes number of nodes
   * @param refused reasons of node pools that are not in the fleet, by name
   * @param incomplete node pools with missing nodes
   */
  public record ClusterStanding(
      String cluster,
      @Nullable Instant unreachableSince,
      int nodes,
      SortedMap<String, String> refused,
      SortedMap<String, String> incomplete) {}

  /** Returns the clusters in order, as last observed. */
  public List<ClusterStanding> standings() {
    List<ClusterStanding> standings = new ArrayList<>();
    for (NodeSource source : clusters) {
      NodeSource.Standing standing = source.standing();
      ObservedFleet seen = standing.observed();
      standings.add(
          new ClusterStanding(
              standing.cluster(),
              standing.unreachableSince(),
              seen == null ? 0 : seen.nodes().size(),
              seen == null ? new TreeMap<>() : seen.refused(),
              seen == null ? new TreeMap<>() : seen.incomplete()));
    }
    return standings;
  }

  /** Returns the clusters' names as in flavors, the default one first. */
  public List<String> clusters() {
    List<String> names = new ArrayList<>();
    for (NodeSource source : clusters) {
      if (names.isEmpty()) {
        names.add(NodeClusters.DEFAULT);
      }
      names.add(source.standing().cluster());
    }
    return names;
  }

  /** Returns why a slice is not available, for people; null: no reason is observed. */
  @Nullable String reason(Slice slice) {
    ObservedFleet seen = observed(slice.labels());
    return seen == null ? null : SliceLosses.reason(slice, seen.cluster(), seen);
  }

  /** Returns the problem of a host, for people; null: none is observed. */
  @Nullable String reason(Host host) {
    ObservedFleet seen = observed(host.labels());
    String reason = seen == null ? "" : seen.health(host.name()).reason();
    return reason.isEmpty() ? null : reason;
  }

  /** Returns the use of a host by pods outside Sluice; null: none is observed. */
  @Nullable OutsideUse outside(Host host) {
    ObservedFleet seen = observed(host.labels());
    return seen == null ? null : seen.outside().get(host.name());
  }

  private @Nullable ObservedFleet observed(Labels labels) {
    for (NodeSource source : clusters) {
      NodeSource.Standing standing = source.standing();
      if (FleetComposition.isOf(standing.cluster(), labels)) {
        return standing.observed();
      }
    }
    return null;
  }

  /** Whether a slice was healthy at the leader's last observation. */
  public boolean isWell(String slice) {
    Set<String> losses = lost;
    return losses != null && !losses.contains(slice);
  }

  /** Returns the reasons of hosts and slices left out because their name is taken, by name. */
  public SortedMap<String, String> refused() {
    return refused;
  }

  private void tick() {
    try {
      pass();
    } catch (RuntimeException failure) {
      LOG.warn("comparing the fleet failed; retrying", failure);
    }
  }

  /** Runs one comparison and writes its inputs. */
  void pass() {
    List<NodeSource> before = clusters;
    List<NodeSource> now = List.copyOf(sources.get());
    clusters = now;
    before.stream().filter(source -> !now.contains(source)).forEach(NodeSource::close);
    tell(now.stream().map(NodeSource::look).toList());
  }

  private void tell(List<ClusterSight> sights) {
    if (!leads()) {
      pace.forget();
      told.clear();
      missingSince.clear();
      outlook = null;
      lost = null;
      return;
    }
    Instant now = clock.instant();
    told.values().removeIf(at -> !now.isBefore(at.plus(TOLD_FOR)));
    Known known = (Known) view.ask(Known::of);
    Outlook look = outlook(known, sights, now);
    List<Input> inputs = lost(look, known);
    boolean tellsFleet = !look.same() && pace.mayTell(now);
    if (tellsFleet) {
      inputs.add(new Input.SetFleet(look.wanted()));
      SortedMap<String, Loss> losses = SliceLosses.of(look.wanted(), sights);
      inputs.addAll(FleetInputs.lossesOfNew(losses, known.fleet()));
    }
    inputs.addAll(returned(look, known));
    inputs.removeIf(told::containsKey);
    if (!inputs.isEmpty()) {
      notes.append(inputs);
      inputs.stream()
          .filter(input -> !(input instanceof Input.SetFleet))
          .forEach(input -> told.put(input, now));
      if (tellsFleet) {
        pace.told(now);
      }
    }
  }

  private Outlook outlook(Known engine, List<ClusterSight> sights, Instant now) {
    Fleet known = engine.fleet();
    List<Obtainable> mayBeHad = obtainable.read(engine.obtainable());
    Outlook last = outlook;
    if (last != null) {
      missingSince.keySet().removeIf(name -> awaitsSeeking(engine, name));
    }
    if (last != null && last.holds(engine, sights, remembered(now), mayBeHad)) {
      return last;
    }
    findMissing(engine, sights, now);
    Set<String> kept = remembered(now);
    Composed composed = FleetComposition.compose(file, engine, sights, kept, mayBeHad);
    if (!composed.refused().equals(refused)) {
      composed.refused().forEach((name, why) -> LOG.warnf("%s is not in the fleet: %s", name, why));
      refused = composed.refused();
    }
    Fleet wanted = composed.fleet();
    Outlook made =
        new Outlook(
            known,
            sights,
            kept,
            SliceLosses.of(known, sights),
            mayBeHad,
            engine.placing(),
            wanted,
            wanted.equals(known));
    outlook = made;
    lost = Set.copyOf(made.losses().keySet());
    return made;
  }

  private static boolean awaitsSeeking(Known engine, String name) {
    return engine.notReady().containsKey(name)
        && engine.fleet().slices().stream()
            .anyMatch(slice -> slice.name().equals(name) && engine.awaitsSeeking(slice));
  }

  /**
   * Records when slices of the engine's fleet vanished. It leaves out unused slices that must be
   * sought, since no repair brings them back.
   */
  private void findMissing(Known engine, List<ClusterSight> sights, Instant now) {
    Set<String> missing = new HashSet<>();
    for (ClusterSight sight : sights) {
      ObservedFleet observed = sight.observed();
      if (observed != null) {
        Set<String> seen = new HashSet<>();
        observed.slices().forEach(slice -> seen.add(slice.name()));
        for (Slice slice : engine.fleet().slices()) {
          if (!engine.awaitsSeeking(slice)
              && FleetComposition.isOf(sight.cluster(), slice.labels())
              && !seen.contains(slice.name())) {
            missing.add(slice.name());
          }
        }
      }
    }
    missingSince.keySet().retainAll(missing);
    missing.forEach(slice -> missingSince.putIfAbsent(slice, now));
  }

  private Set<String> remembered(Instant now) {
    Set<String> remembered = new HashSet<>();
    missingSince.forEach(
        (slice, since) -> {
          if (now.isBefore(since.plus(REMEMBERED))) {
            remembered.add(slice);
          }
        });
    return remembered;
  }

  @SuppressWarnings("unchecked")
  private List<Input> lost(Outlook look, Known known) {
    Set<String> closed = FleetInputs.closed(look.losses());
    closed.removeAll(known.notReady().keySet());
    Set<String> unused =
        closed.isEmpty()
            ? Set.of()
            : (Set<String>) view.ask(state -> FleetInputs.unused(state, closed));
    return FleetInputs.losses(look.losses(), known, unused);
  }

  /**
   * Returns inputs for recovered slices. What callers removed or reported as failed comes back only
   * by their call.
   */
  private List<Input> returned(Outlook look, Known known) {
    List<Input> inputs = new ArrayList<>();
    List<Slice> well = FleetInputs.wellAgain(look.losses(), known, look.sights());
    if (well.isEmpty()) {
      return inputs;
    }
    Noted noted = notes.read();
    for (Slice slice : well) {
      if (!noted.taken().contains(slice.name())
          && slice.hosts().stream().noneMatch(noted.failed()::contains)) {
        inputs.add(new Input.ReturnSlice(slice.name()));
      }
    }
    return inputs;
  }

  @Override
  public void close() {
    if (ticking != null) {
      ticking.cancel(false);
    }
    timer.shutdownNow();
    try {
      if (!timer.awaitTermination(TOLD_FOR.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("the comparison of the fleet does not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    clusters.forEach(NodeSource::close);
  }
}
