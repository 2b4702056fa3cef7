// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.fleet.SliceHolder;
import io.sluice.restmodel.fleet.SliceView;
import io.sluice.restmodel.fleet.SliceView.FormedSlice;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.store.journal.SliceHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Lists slices by name, page by page, so that no answer grows with the fleet. */
final class SliceListing {
  private final FleetStandings standings;
  private final SliceHistory history;

  SliceListing(FleetStandings standings, SliceHistory history) {
    this.standings = standings;
    this.history = history;
  }

  /**
   * A page of slices.
   *
   * @param cursor null: the first page
   */
  Page<SliceView> page(
      AdmissionState state, Set<String> failedHosts, int limit, @Nullable String cursor) {
    List<SliceView> items = new ArrayList<>();
    String next = null;
    String last = "";
    for (Slice slice : state.slices().after(cursor == null ? "" : Pages.readName(cursor))) {
      if (items.size() == limit) {
        next = Pages.writeName(last);
        break;
      }
      items.add(of(slice, state, failedHosts));
      last = slice.name();
    }
    return new Page<>(items, next);
  }

  /** A slice, with the reason why this server's view of its nodes keeps it from being offered. */
  SliceView of(Slice slice, AdmissionState state, Set<String> failedHosts) {
    return SliceAnswers.of(slice, state, failedHosts, standings.reason(slice));
  }

  /**
   * The same slices, each that is held with the start of the allocation, formed ones included. It
   * may be later than the start of the attempt.
   */
  List<SliceView> withSince(List<SliceView> slices) {
    Set<String> held = new TreeSet<>();
    for (SliceView slice : slices) {
      if (slice.heldBy() != null) {
        held.add(slice.name());
      }
      if (slice.formed() != null) {
        slice.formed().forEach(formed -> held.add(formed.name()));
      }
    }
    Map<String, SliceHistory.HeldSince> known = history.held(held);
    return slices.stream().map(slice -> withSince(slice, known)).toList();
  }

  private static SliceView withSince(SliceView slice, Map<String, SliceHistory.HeldSince> known) {
    SliceHolder holder = slice.heldBy();
    List<FormedSlice> formed = slice.formed();
    if (holder == null && formed == null) {
      return slice;
    }
    return slice.withHolders(
        holder == null ? null : withSince(holder, known.get(slice.name())),
        formed == null
            ? null
            : formed.stream()
                .map(
                    one ->
                        new FormedSlice(one.name(), withSince(one.heldBy(), known.get(one.name()))))
                .toList());
  }

  /** The database may already know another holder than the state that was read before. */
  private static SliceHolder withSince(SliceHolder holder, SliceHistory.@Nullable HeldSince since) {
    return since != null
            && holder.job().equals(since.attempt().job().toString())
            && holder.attempt() == since.attempt().attempt()
        ? holder.withSince(since.from(), since.fromGeneration())
        : holder;
  }
}
