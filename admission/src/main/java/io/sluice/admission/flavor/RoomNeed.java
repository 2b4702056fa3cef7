// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.placement.PlacedPods;
import io.sluice.admission.placement.PodsToPlace;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceTable;
import io.sluice.queuemodel.job.JobId;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The room that a workload needs, with marks for what is lacking now. */
public final class RoomNeed {
  private final Usage usage;
  private final boolean[] lacking;
  private final @Nullable SlicePool pool;
  private final int slices;
  private final SortedMap<String, List<PodsToPlace>> pods;
  private final JobId job;

  /**
   * Creates a need of quota, and of slices if a pool is given.
   *
   * @param lacking whether too little is free now, by number of (flavor, resource)
   * @param slices number of slices needed of the pool
   * @param pods pods that need places on nodes, by flavor
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

  /** Creates a need of quota only, with marks by number of (flavor, resource). */
  public static RoomNeed ofQuota(Usage usage, boolean[] lacking, JobId job) {
    return new RoomNeed(usage, lacking, null, 0, Collections.emptySortedMap(), job);
  }

  /** Returns the same need, with marks for what is lacking in a total. */
  public RoomNeed lackingIn(QuotaUsage total) {
    boolean[] missing = new boolean[lacking.length];
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      // With pods to place, nodes may be lacking although quota suffices.
      missing[number] =
          usage.amount(at) > Math.max(0, total.available(usage.node(), number))
              || (!pods.isEmpty() && lacking[number]);
    }
    return new RoomNeed(usage, missing, pool, slices, pods, job);
  }

  /** Returns the same need with places for the pods. */
  RoomNeed placed(List<PlacedPods> where) {
    return new RoomNeed(usage.placed(where), lacking, pool, slices, pods, job);
  }

  /** Returns the pods that need places on nodes, by flavor. */
  public SortedMap<String, List<PodsToPlace>> pods() {
    return pods;
  }

  /** Returns the whole usage needed, lacking or not. */
  public Usage usage() {
    return usage;
  }

  /** Returns the job that needs the room. */
  public JobId job() {
    return job;
  }

  /** Returns whether a (flavor, resource) is lacking. */
  public boolean lacks(int flavorResource) {
    return lacking[flavorResource];
  }

  /** Returns whether a usage includes a lacking (flavor, resource). */
  public boolean lacksAnyOf(Usage used) {
    return used.usesAnyOf(lacking);
  }

  /** Returns whether the same work would help with another need, by the same rules. */
  public boolean hasCandidatesOf(RoomNeed other) {
    return usage.hasAmountsOf(other.usage)
        && Arrays.equals(lacking, other.lacking)
        && Objects.equals(pool, other.pool)
        && slices == other.slices;
  }

  /** Returns the pool of the needed slices; null if none are needed. */
  public @Nullable SlicePool pool() {
    return pool;
  }

  public int slices() {
    return slices;
  }

  /** Returns the free slices for the job now, possibly too few; empty if it needs none. */
  public List<String> freeSlices(SliceTable table) {
    return pool == null ? List.of() : table.free(pool, slices, job);
  }
}
