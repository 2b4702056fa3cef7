// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.restmodel.fleet.SliceHolder;
import io.sluice.restmodel.fleet.SliceView;
import io.sluice.scheduler.security.NamespaceScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts slices and their holders for answers. */
final class SliceAnswers {
  private SliceAnswers() {}

  /**
   * The slice as the state knows it. Its holders have the start of their attempts as start.
   *
   * @param failedHosts of the whole fleet
   * @param reason why the slice is not offered; null: no reason is observed
   * @param readable namespaces of whose jobs the caller may know; its holders are not hidden yet
   */
  static SliceView of(
      Slice slice,
      AdmissionState state,
      Set<String> failedHosts,
      @Nullable String reason,
      NamespaceScope readable) {
    String name = slice.name();
    SliceStanding standing = state.slices().standings().find(name);
    Attempt holder = state.slices().heldOn(name).contains(name) ? holder(name, state) : null;
    IndexKey claimant = state.slices().claimant(name);
    return new SliceView(
        name,
        slice.acceleratorType(),
        slice.topology().toString(),
        slice.topology().chips(),
        slice.capacityType().word(),
        slice.forming().block(),
        nullIfEmpty(slice.forming().parts().stream().map(SliceTopology::toString).toList()),
        state.slices().standings().condition(name).name(),
        leavesAt(standing),
        keptFor(standing, state, readable),
        slice.hosts(),
        nullIfEmpty(slice.hosts().stream().filter(failedHosts::contains).toList()),
        holder == null ? null : heldBy(holder, state),
        nullIfEmpty(formed(name, state)),
        claimant == null || !knows(readable, state.findJob(claimant.job()))
            ? null
            : claimant.job().toString(),
        reason);
  }

  /** An attempt as a holder. */
  static SliceHolder heldBy(Attempt attempt, AdmissionState state) {
    return new SliceHolder(
        attempt.key().job().toString(),
        attempt.key().index(),
        attempt.key().attempt(),
        attempt.generation(),
        attempt.job().workload().name(),
        attempt.job().workload().queue().namespace(),
        attempt.job().queue().name(),
        attempt.state().name(),
        attempt.admittedAt(),
        attempt.latestEnd(state.policy().ends()),
        null);
  }

  /** The attempt that uses a host of a slice of the fleet; null: none. */
  static @Nullable Attempt user(String host, String slice, AdmissionState state) {
    for (String held : state.slices().heldOn(slice)) {
      Slice known = state.slices().find(held);
      if (known != null && known.hosts().contains(host)) {
        return holder(held, state);
      }
    }
    return null;
  }

  /** The holder of a slice; null: it has none any more. */
  static @Nullable Attempt holder(String held, AdmissionState state) {
    AttemptKey key = state.slices().holder(held);
    return key == null ? null : state.findAttempt(key);
  }

  /** The held slices that are formed from a slice of the fleet. */
  private static List<SliceView.FormedSlice> formed(String slice, AdmissionState state) {
    List<SliceView.FormedSlice> formed = new ArrayList<>();
    for (String held : state.slices().heldOn(slice)) {
      Attempt holder = held.equals(slice) ? null : holder(held, state);
      if (holder != null) {
        formed.add(new SliceView.FormedSlice(held, heldBy(holder, state)));
      }
    }
    return formed;
  }

  private static @Nullable Instant leavesAt(@Nullable SliceStanding standing) {
    return standing != null && standing.condition() == SliceCondition.LEAVING
        ? standing.until()
        : null;
  }

  private static SliceView.@Nullable KeptFor keptFor(
      @Nullable SliceStanding standing, AdmissionState state, NamespaceScope readable) {
    RungKey keeper = standing == null ? null : standing.keptFor();
    if (standing == null || keeper == null) {
      return null;
    }
    JobEntry job = state.findJob(keeper.job());
    boolean known = knows(readable, job);
    return new SliceView.KeptFor(
        known ? keeper.job().toString() : null,
        known && job != null ? job.workload().name() : null,
        keeper.rung() + 1,
        standing.until());
  }

  /** Whether a caller may know of a job; of one that has ended, only if it reads everything. */
  private static boolean knows(NamespaceScope readable, @Nullable JobEntry job) {
    return readable.isAll()
        || (job != null && readable.contains(job.workload().queue().namespace()));
  }

  /** The holder as a caller may see it: without its job unless it may read that. */
  static SliceHolder seenBy(NamespaceScope readable, SliceHolder holder) {
    String namespace = holder.namespace();
    return namespace == null || readable.contains(namespace) ? holder : holder.anonymous();
  }

  private static <T> @Nullable List<T> nullIfEmpty(List<T> list) {
    return list.isEmpty() ? null : list;
  }
}
