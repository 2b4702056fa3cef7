// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.job.JobId;
import org.jspecify.annotations.Nullable;

/** Room that a workload needs, and of what there is too little now. */
public final class RoomNeed {
  private final Usage usage;
  private final boolean[] lacking;
  private final @Nullable SlicePool pool;
  private final int slices;
  private final JobId job;

  /**
   * Room of quota, and of slices if a pool is given.
   *
   * @param lacking by number of (flavor, resource): whether there is too little now
   * @param slices how many of the pool's slices are needed
   */
  RoomNeed(Usage usage, boolean[] lacking, @Nullable SlicePool pool, int slices, JobId job) {
    this.usage = usage;
    this.lacking = lacking.clone();
    this.pool = pool;
    this.slices = slices;
    this.job = job;
  }

  /** Room of quota, of which some is lacking, given by number of (flavor, resource). */
  public static RoomNeed ofQuota(Usage usage, boolean[] lacking, JobId job) {
    return new RoomNeed(usage, lacking, null, 0, job);
  }

  /** The same room, lacking what there is too little of in a total. */
  public RoomNeed lackingIn(QuotaUsage total) {
    boolean[] missing = new boolean[lacking.length];
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      missing[number] = usage.amount(at) > Math.max(0, total.available(usage.node(), number));
    }
    return new RoomNeed(usage, missing, pool, slices, job);
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
}
