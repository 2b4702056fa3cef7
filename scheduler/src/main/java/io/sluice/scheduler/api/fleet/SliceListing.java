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
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.journal.SliceHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
   * @param readable as of {@link SliceAnswers#of}
   */
  Page<SliceView> page(
      AdmissionState state,
      Set<String> failedHosts,
      int limit,
      @Nullable String cursor,
      NamespaceScope readable) {
    List<SliceView> items = new ArrayList<>();
    String next = null;
    String last = "";
    for (Slice slice : state.slices().after(cursor == null ? "" : Pages.readName(cursor))) {
      if (items.size() == limit) {
        next = Pages.writeName(last);
        break;
      }
      items.add(of(slice, state, failedHosts, readable));
      last = slice.name();
    }
    return new Page<>(items, next);
  }

  /** A slice, with the reason why this server's view of its nodes keeps it from being offered. */
  SliceView of(
      Slice slice, AdmissionState state, Set<String> failedHosts, NamespaceScope readable) {
    return SliceAnswers.of(slice, state, failedHosts, standings.reason(slice), readable);
  }

  /**
   * The same slices, each that is held with the start of the allocation, formed ones included. It
   * may be later than the start of the attempt. Holders that the caller may not read lose their
   * names.
   */
  List<SliceView> withSince(List<SliceView> slices, NamespaceScope readable) {
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
    return slices.stream().map(slice -> withSince(slice, known, readable)).toList();
  }

  private static SliceView withSince(
      SliceView slice, Map<String, SliceHistory.HeldSince> known, NamespaceScope readable) {
    SliceHolder holder = slice.heldBy();
    List<FormedSlice> formed = slice.formed();
    if (holder == null && formed == null) {
      return slice;
    }
    return slice.withHolders(
        holder == null ? null : withSince(holder, known.get(slice.name()), readable),
        formed == null
            ? null
            : formed.stream()
                .map(
                    one ->
                        new FormedSlice(
                            one.name(), withSince(one.heldBy(), known.get(one.name()), readable)))
                .toList());
  }

  /** The database may already know another holder than the state that was read before. */
  private static SliceHolder withSince(
      SliceHolder holder, SliceHistory.@Nullable HeldSince since, NamespaceScope readable) {
    boolean same =
        since != null
            && since.attempt().job().toString().equals(holder.job())
            && Objects.equals(since.attempt().attempt(), holder.attempt());
    return SliceAnswers.seenBy(
        readable,
        same && since != null ? holder.withSince(since.from(), since.fromGeneration()) : holder);
  }
}
