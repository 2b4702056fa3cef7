// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.restmodel.fleet.FleetMap;
import io.sluice.restmodel.fleet.FleetMap.MapHolder;
import io.sluice.restmodel.fleet.FleetMap.MapSlice;
import io.sluice.restmodel.fleet.FleetMap.SliceKind;
import io.sluice.scheduler.api.fleet.DrawnFleet.DrawnHolder;
import io.sluice.scheduler.api.fleet.DrawnFleet.DrawnSlice;
import io.sluice.scheduler.security.NamespaceScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One answer about the slices of the fleet, as a caller may see them. */
final class FleetMapAnswers {
  private final NamespaceScope readable;
  private final Map<SliceKind, Integer> kinds = new LinkedHashMap<>();
  private final Map<DrawnHolder, Integer> holders = new LinkedHashMap<>();
  private final List<MapSlice> slices = new ArrayList<>();

  private FleetMapAnswers(NamespaceScope readable) {
    this.readable = readable;
  }

  /**
   * The answer.
   *
   * @param since what the caller has; null: it has nothing, and is given everything
   */
  static FleetMap of(DrawnFleet present, @Nullable DrawnFleet since, NamespaceScope readable) {
    FleetMapAnswers answers = new FleetMapAnswers(readable);
    List<String> gone = new ArrayList<>();
    if (since == null) {
      present.slices().forEach(answers::add);
    } else if (!since.revision().equals(present.revision())) {
      answers.addChanges(since.slices(), present.slices(), gone);
    }
    return new FleetMap(
        present.revision(),
        since != null,
        present.sliceCount(),
        List.copyOf(answers.kinds.keySet()),
        answers.holders.keySet().stream().map(answers::holder).toList(),
        answers.slices,
        gone.isEmpty() ? null : gone);
  }

  /** Compares two lists in order of names. */
  private void addChanges(List<DrawnSlice> before, List<DrawnSlice> after, List<String> gone) {
    int old = 0;
    for (DrawnSlice slice : after) {
      while (old < before.size() && before.get(old).name().compareTo(slice.name()) < 0) {
        gone.add(before.get(old++).name());
      }
      boolean known = old < before.size() && before.get(old).name().equals(slice.name());
      if (!known || !before.get(old).equals(slice)) {
        add(slice);
      }
      old += known ? 1 : 0;
    }
    before.subList(old, before.size()).forEach(slice -> gone.add(slice.name()));
  }

  private void add(DrawnSlice slice) {
    String claimant = slice.claimant();
    slices.add(
        new MapSlice(
            slice.name(),
            index(kinds, slice.kind()),
            slice.condition() == SliceCondition.READY ? null : slice.condition().name(),
            trueOrNull(slice.failed()),
            trueOrNull(slice.kept()),
            trueOrNull(claimant != null && readable.contains(claimant)),
            trueOrNull(slice.partly()),
            slice.holders().isEmpty()
                ? null
                : slice.holders().stream().map(holder -> index(holders, holder)).toList()));
  }

  private MapHolder holder(DrawnHolder holder) {
    boolean known = readable.contains(holder.namespace());
    return new MapHolder(
        known ? holder.attempt().job().toString() : null,
        known ? holder.name() : null,
        known ? holder.namespace() : null,
        known ? holder.team() : null,
        holder.clusterQueue(),
        holder.state());
  }

  private static <K> int index(Map<K, Integer> table, K key) {
    int next = table.size();
    Integer known = table.putIfAbsent(key, next);
    return known == null ? next : known;
  }

  private static @Nullable Boolean trueOrNull(boolean value) {
    return value ? true : null;
  }
}
