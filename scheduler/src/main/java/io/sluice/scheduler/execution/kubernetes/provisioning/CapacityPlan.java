// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.topology.SliceOutlook;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.fleet.SoughtSlices;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.quota.ComputeClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Plans which slices to provision for the rungs that wait, in the order of their waiting time. A
 * rung gets all of its slices or none, no slice is planned twice, and a flavor's maximum is kept. A
 * pure function of the state.
 */
final class CapacityPlan {
  private final AdmissionState state;
  private final Predicate<Slice> well;
  private final Set<String> taken;

  private CapacityPlan(AdmissionState state, Predicate<Slice> well, Set<String> promised) {
    this.state = state;
    this.well = well;
    this.taken = new HashSet<>(promised);
  }

  /** A rung that waits for capacity. */
  private record Open(JobEntry job, RungKey rung, Instant since, Assignment wanted) {
    private static final Comparator<Open> ORDER =
        Comparator.comparing(Open::since).thenComparing(Open::rung);

    /**
     * Returns a name that is unique per seek: a rung that is opened again has another start time.
     */
    String name() {
      return "sluice-" + rung.job() + "-" + rung.rung() + "-" + Long.toString(millis(), 36);
    }

    private long millis() {
      return since.toEpochMilli();
    }
  }

  /**
   * Returns the wants.
   *
   * @param well whether a slice of the fleet is healthy
   * @param promised granted slices that the engine may not know yet
   * @param answered names of wants that were just granted or refused
   */
  static List<Want> of(
      AdmissionState state, Predicate<Slice> well, Set<String> promised, Set<String> answered) {
    return new CapacityPlan(state, well, promised).all(answered);
  }

  private List<Want> all(Set<String> answered) {
    List<Open> open = new ArrayList<>();
    for (JobEntry job : state.ladders().waiting()) {
      job.ladder()
          .forEach(
              (number, progress) -> {
                Open one = open(job, new RungKey(job.id(), number), progress);
                if (one != null) {
                  open.add(one);
                }
              });
    }
    open.sort(Open.ORDER);
    List<Want> wants = new ArrayList<>();
    for (Open one : open) {
      Want want = answered.contains(one.name()) ? null : want(one);
      if (want != null) {
        wants.add(want);
      }
    }
    return wants;
  }

  private static @Nullable Open open(JobEntry job, RungKey rung, RungProgress progress) {
    Instant since = progress.at();
    Assignment wanted = progress.wanted();
    return !progress.waiting() || since == null || wanted == null
        ? null
        : new Open(job, rung, since, wanted);
  }

  /** Returns the want of a rung; null if there can never be enough slices. */
  private @Nullable Want want(Open open) {
    AcceleratorRequest accelerator = open.job().workload().shape().accelerator();
    SlicePool pool = SlicePool.of(open.wanted(), open.job().workload().shape());
    if (accelerator == null || pool == null) {
      return null;
    }
    List<String> there = new ArrayList<>();
    TreeMap<String, List<String>> potential = new TreeMap<>();
    for (String name : state.slices().sourcesOf(pool)) {
      Slice slice = state.slices().find(name);
      String flavor = slice == null ? null : SoughtSlices.flavor(slice);
      if (slice == null
          || flavor == null
          || taken.contains(name)
          || state.slices().standings().condition(name) != SliceCondition.ABSENT) {
        continue;
      }
      if (SoughtSlices.isPotential(slice)) {
        potential.computeIfAbsent(flavor, absent -> new ArrayList<>()).add(name);
      } else if (state.slices().isWhole(name) && well.test(slice)) {
        there.add(name);
      }
    }
    SliceOutlook outlook = state.slices().outlook(pool, open.job().id());
    int slices = accelerator.slices().min();
    List<String> needed = outlook.needed(slices, there);
    if (needed != null) {
      return want(open, pool, needed, null);
    }
    for (var one : potential.entrySet()) {
      List<String> offered = new ArrayList<>(there);
      offered.addAll(one.getValue());
      needed = outlook.needed(slices, offered);
      if (needed != null) {
        return want(open, pool, needed, one.getKey());
      }
    }
    return null;
  }

  private @Nullable Want want(
      Open open, SlicePool pool, List<String> needed, @Nullable String flavor) {
    if (needed.isEmpty()) {
      return null; // Its slices are there; the engine is about to see them.
    }
    taken.addAll(needed);
    List<String> there = needed.stream().filter(name -> !isPotential(name)).toList();
    return new Want(
        open.rung(),
        open.name(),
        open.job().workload().queue().namespace(),
        there,
        needed.size() - there.size(),
        flavor,
        pool.type(),
        pool.topology(),
        pool.hosts(),
        longestRun(open));
  }

  private boolean isPotential(String name) {
    Slice slice = state.slices().find(name);
    return slice != null && SoughtSlices.isPotential(slice);
  }

  private @Nullable Duration longestRun(Open open) {
    ComputeClass ladder = state.objects().computeClassOf(open.job());
    return ladder == null || open.rung().rung() >= ladder.rungs().size()
        ? null
        : ladder.rungs().get(open.rung().rung()).maxRun();
  }
}
