// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.cycle.TakenFillers.Shrinking;
import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Supposition;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fillers to take back for a head that gets no room otherwise.
 *
 * <p>Goal: the fewest fillers, of the lowest priority and grown last. It takes fillers one by one
 * in that order until the head fits. Then, from the last but one back to the first, it returns each
 * filler that the head can do without. Draining room counts as free: a head for which it is enough
 * waits and takes nothing back. Fillers have no protection: any head that may use the flavor may
 * take them.
 */
final class FillerSearch {
  private static final Comparator<Attempt> ORDER =
      Comparator.<Attempt>comparingInt(attempt -> attempt.job().workload().priority().value())
          .thenComparing(Attempt::mayGrowFrom, Comparator.reverseOrder())
          .thenComparing(Attempt::key, Comparator.reverseOrder());

  /** A slice of an attempt above its minimum. */
  private record Filler(Attempt attempt, String slice) {}

  /** Fillers that suffice for a head, with the flavors that it gets. */
  private record TakenBack(FlavorAssignment assignment, RoomNeed need, TakenFillers fillers) {}

  private final AdmissionState state;
  private final FlavorAssigner assigner;

  FillerSearch(AdmissionState state) {
    this.state = state;
    this.assigner = new FlavorAssigner(state, PreemptionOracle.NOBODY);
  }

  /** Returns the entry of the head once fillers are taken back; empty if that is not enough. */
  Optional<CycleEntry> find(JobEntry head) {
    List<Attempt> shrinkable = shrinkable();
    if (shrinkable.isEmpty()) {
      return Optional.empty();
    }
    try (Supposition drained = new Supposition(state)) {
      drained.drained();
      return assigner.assign(head).mode() == AssignmentMode.FIT
          ? Optional.empty()
          : findPermitted(head, shrinkable, drained);
    }
  }

  /**
   * Finds fillers whose room planned starts permit the head to claim. Room that suits a head that
   * starts at once may be needed again before one that starts by the deadline of its claim has
   * ended. It then searches once more for such a head.
   */
  private Optional<CycleEntry> findPermitted(
      JobEntry head, List<Attempt> shrinkable, Supposition drained) {
    Optional<TakenBack> found = find(head, shrinkable, drained);
    Duration supposed = null;
    while (found.isPresent() && !permits(head, found.get(), drained)) {
      Duration settle = found.get().fillers().settleTime();
      if (supposed != null && settle.compareTo(supposed) <= 0) {
        return Optional.empty();
      }
      supposed = settle;
      Runnable undo = state.plan().guard().supposeClaim(head, settle);
      try {
        found = find(head, shrinkable, drained);
      } finally {
        undo.run();
      }
    }
    return found.map(back -> new CycleEntry(head, back.assignment(), null, back.fillers()));
  }

  private Optional<TakenBack> find(JobEntry head, List<Attempt> shrinkable, Supposition drained) {
    FlavorAssignment assignment;
    try (Supposition least = new Supposition(state, drained)) {
      shrinkable.forEach(attempt -> least.on(attempt, least(attempt)));
      assignment = assigner.assign(head);
    }
    RoomNeed need = assignment.need();
    if (assignment.mode() != AssignmentMode.FIT || need == null) {
      return Optional.empty();
    }
    List<Filler> taken = choose(need, fillers(head, need, shrinkable), drained);
    TakenFillers fillers = new TakenFillers(shrinking(taken), slices(need, taken, drained));
    return Optional.of(new TakenBack(assignment, need, fillers));
  }

  /** Returns the attempts with fillers, those that lose fillers first at the front. */
  private List<Attempt> shrinkable() {
    List<Attempt> shrinkable = new ArrayList<>();
    if (state.policy().cycle() != CycleRule.SINGLE) {
      for (Attempt attempt : state.elastic()) {
        if (attempt.hasFillers()) {
          shrinkable.add(attempt);
        }
      }
    }
    shrinkable.sort(ORDER);
    return shrinkable;
  }

  private static List<String> least(Attempt attempt) {
    return attempt.assignment().slices().subList(0, attempt.range().min());
  }

  /** Returns the fillers that could help the head, in the order in which they are taken. */
  private List<Filler> fillers(JobEntry head, RoomNeed need, List<Attempt> shrinkable) {
    List<Filler> fillers = new ArrayList<>();
    for (Attempt attempt : shrinkable) {
      List<String> slices = attempt.assignment().slices();
      for (int at = slices.size() - 1; at >= attempt.range().min(); at--) {
        if (sharesQuota(attempt, need.usage()) || gives(slices.get(at), need.pool(), head)) {
          fillers.add(new Filler(attempt, slices.get(at)));
        }
      }
    }
    return fillers;
  }

  private static boolean sharesQuota(Attempt attempt, Usage wanted) {
    for (int at = 0; at < wanted.size(); at++) {
      if (wanted.amount(at) > 0 && attempt.usage().amountOf(wanted.flavorResource(at)) > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean gives(String slice, @Nullable SlicePool pool, JobEntry head) {
    return pool != null
        && state.slices().sharesHosts(slice, pool)
        && state.slices().readyFor(slice, head.id());
  }

  private List<Filler> choose(RoomNeed need, List<Filler> fillers, Supposition drained) {
    List<Filler> taken = new ArrayList<>();
    for (Filler filler : fillers) {
      taken.add(filler);
      if (suffice(need, taken, drained)) {
        break;
      }
    }
    for (int at = taken.size() - 2; at >= 0; at--) {
      Filler spare = taken.remove(at);
      if (!suffice(need, taken, drained)) {
        taken.add(at, spare);
      }
    }
    return taken;
  }

  private boolean suffice(RoomNeed need, List<Filler> taken, Supposition drained) {
    try (Supposition without = new Supposition(state, drained)) {
      shrinking(taken).forEach(one -> without.on(one.attempt(), one.left()));
      return enough(need) && state.ledger().fits(need.usage());
    }
  }

  private boolean enough(RoomNeed need) {
    SlicePool pool = need.pool();
    return pool == null || state.slices().countFree(pool, need.job()) >= need.slices();
  }

  private static List<Shrinking> shrinking(List<Filler> taken) {
    List<Shrinking> shrinking = new ArrayList<>();
    List<Attempt> attempts = taken.stream().map(Filler::attempt).distinct().toList();
    for (Attempt attempt : attempts) {
      List<String> left = new ArrayList<>(attempt.assignment().slices());
      taken.stream()
          .filter(one -> one.attempt().equals(attempt))
          .forEach(one -> left.remove(one.slice()));
      shrinking.add(new Shrinking(attempt, attempt.generation(), left));
    }
    return shrinking;
  }

  /** Returns whether planned starts permit that a head claims the room of fillers. */
  private boolean permits(JobEntry head, TakenBack found, Supposition drained) {
    TakenFillers fillers = found.fillers();
    try (Supposition without = new Supposition(state, drained)) {
      fillers.shrinking().forEach(one -> without.on(one.attempt(), one.left()));
      return state
          .plan()
          .guard()
          .permitsClaim(head, found.need().usage(), fillers.slices(), fillers.settleTime());
    }
  }

  /** Returns the slices for the head, free ones before those of fillers. */
  private List<String> slices(RoomNeed need, List<Filler> taken, Supposition drained) {
    try (Supposition without = new Supposition(state, drained)) {
      shrinking(taken).forEach(one -> without.on(one.attempt(), one.left()));
      return need.freeSlices(state.slices());
    }
  }
}
