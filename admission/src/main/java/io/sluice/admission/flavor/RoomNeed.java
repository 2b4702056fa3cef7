// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.placement.PlacedPods;
import io.sluice.admission.placement.PodsToPlace;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceTable;
import io.sluice.queuemodel.job.JobId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Room that a workload needs, and of what there is too little now. */
public final class RoomNeed {
  private final Usage usage;
  private final boolean[] lacking;
  private final @Nullable SlicePool pool;
  private final int slices;
  private final SortedMap<String, List<PodsToPlace>> pods;
  private final JobId job;

  /**
   * Room of quota, and of slices if a pool is given.
   *
   * @param lacking by number of (flavor, resource): whether there is too little now
   * @param slices how many of the pool's slices are needed
   * @param pods that need places on nodes, by flavor
   */
  RoomNeed(
      Usage usage,
      boolean[] lacking,
      @Nullable SlicePool pool,
      int slices,
      SortedMap<String, List<PodsToPlace>> pods,
      JobId job) {
    this.usage = usage;
    this.lacking = lacking.clone();
    this.pool = pool;
    this.slices = slices;
    this.pods = pods;
    this.job = job;
  }

  /** Room of quota, of which some is lacking, given by number of (flavor, resource). */
  public static RoomNeed ofQuota(Usage usage, boolean[] lacking, JobId job) {
    return new RoomNeed(usage, lacking, null, 0, Collections.emptySortedMap(), job);
  }

  /** The same room, lacking what there is too little of in a total. */
  public RoomNeed lackingIn(QuotaUsage total) {
    boolean[] missing = new boolean[lacking.length];
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      // Where pods are to be placed it may be the nodes that lack, and not the quota.
      missing[number] =
          usage.amount(at) > Math.max(0, total.available(usage.node(), number))
              || (!pods.isEmpty() && lacking[number]);
    }
    return new RoomNeed(usage, missing, pool, slices, pods, job);
  }

  /** The same room with pods placed so. */
  RoomNeed placed(List<PlacedPods> where) {
    return new RoomNeed(usage.placed(where), lacking, pool, slices, pods, job);
  }

  /** The pods that need places on nodes, by flavor. */
  public SortedMap<String, List<PodsToPlace>> pods() {
    return pods;
  }

  /** All that is needed, that of which there is enough included. */
  public Usage usage() {
    return usage;
  }

  /** Who needs it. */
  public JobId job() {
    return job;
  }

  /** Whether there is too little of a (flavor, resource). */
  public boolean lacks(int flavorResource) {
    return lacking[flavorResource];
  }

  /** Whether some of what is used is of a kind of which there is too little. */
  public boolean lacksAnyOf(Usage used) {
    return used.usesAnyOf(lacking);
  }

  /** Where slices must come from; null if none are needed. */
  public @Nullable SlicePool pool() {
    return pool;
  }

  public int slices() {
    return slices;
  }

  /** The slices that would be given now, fewer if there are too few; none if none are needed. */
  public List<String> freeSlices(SliceTable table) {
    return pool == null ? List.of() : table.free(pool, slices, job);
  }
}
