// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.admission.topology.PoolSources.Entry;
import io.sluice.queuemodel.job.JobId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches slices of a pool that a job could get now: ready, neither held nor claimed, and not
 * reserved for another job. Each call reads the current table.
 */
final class FreeSlices {
  private final SliceTable table;
  private final SlicePool pool;
  private final PoolSources sources;
  private final @Nullable JobId job;

  FreeSlices(SliceTable table, SlicePool pool, @Nullable JobId job) {
    this.table = table;
    this.pool = pool;
    this.sources = table.fleet().sources(pool);
    this.job = job;
  }

  /** Returns up to the given number of slices. */
  List<String> choose(int most) {
    return packing().choose(pool.topology(), most).stream().map(SliceName::toString).toList();
  }

  /** Returns the number of slices that could be assigned at once. */
  int count() {
    return packing().count();
  }

  private SlicePacking packing() {
    return new SlicePacking(sources, entry -> openHosts(entry) & sources.eligible(entry));
  }

  private long openHosts(Entry entry) {
    SliceStandings standings = table.standings();
    long open = entry.boxes().all() & ~table.taken(entry.number());
    return open == 0 || standings.none() || standings.readyFor(entry.slice().name(), job)
        ? open
        : 0;
  }

  /**
   * Returns whether enough hosts are free for a number of slices, regardless of their positions.
   */
  boolean scattered(int slices) {
    long hosts = 0;
    if (!sources.plain()) {
      for (Entry entry : sources.entries()) {
        long open = openHosts(entry) & sources.eligible(entry);
        boolean whole = entry.boxes().top() == 0;
        hosts += whole && open != 0 ? entry.slice().hosts().size() : Long.bitCount(open);
      }
    }
    return hosts >= (long) slices * pool.hosts() && hosts > 0;
  }
}
