// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The start of every job of a replayed trace, and what became of the planned starts. */
public final class ReplayOutcome {
  private final Trace trace;
  private final ReplaySetup setup;
  private final long[] starts;
  private final PromiseCounts promises;
  private final @Nullable StartAccuracy accuracy;

  ReplayOutcome(
      Trace trace,
      ReplaySetup setup,
      long[] starts,
      PromiseCounts promises,
      @Nullable StartAccuracy accuracy) {
    this.trace = trace;
    this.setup = setup;
    this.starts = starts.clone();
    this.promises = promises;
    this.accuracy = accuracy;
  }

  /** Returns how good the estimated starts were; null if none were estimated. */
  public @Nullable StartAccuracy accuracy() {
    return accuracy;
  }

  public PromiseCounts promises() {
    return promises;
  }

  /**
   * Returns the second in which a job started, on the clock of the trace.
   *
   * @param job its place in {@link Trace#jobs}
   */
  public long startSeconds(int job) {
    return starts[job];
  }

  /** Returns the measures of all jobs. */
  public ReplayMetrics metrics() {
    return ReplayMetrics.of(trace.jobs(), starts, setup.devices());
  }

  /** Writes one line {@code id,start_s} per job, in the order of the trace's queue. */
  public void writeStarts(Appendable out) throws IOException {
    List<TraceJob> jobs = trace.jobs();
    for (int job = 0; job < starts.length; job++) {
      out.append(Long.toString(jobs.get(job).id()))
          .append(',')
          .append(Long.toString(starts[job]))
          .append('\n');
    }
  }
}
