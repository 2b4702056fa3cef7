// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A schedule of a pipeline.
 *
 * @param cron five fields as in Kubernetes' CronJob, or six with seconds first, or a word such as
 *     {@code @daily}
 * @param span null bounds: from now on, for ever
 * @param jitter a run begins up to this much later, always the same for one logical time
 * @param parameters of its runs that differ from the pipeline's, each as JSON
 */
public record Schedule(
    String name,
    String cron,
    ZoneId timeZone,
    Span span,
    Duration jitter,
    Policies policies,
    boolean paused,
    SortedMap<String, String> parameters) {
  public Schedule {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }

  /**
   * The time range in which a schedule fires.
   *
   * @param start first time that counts; null: whenever it is saved
   * @param end first time that does not count any more; null: none
   */
  public record Span(@Nullable Instant start, @Nullable Instant end) {
    public static final Span UNBOUNDED = new Span(null, null);
  }

  /**
   * The policies for fires that overlap with a run, and for missed fires.
   *
   * @param runsMax how many that were missed are made up for, under {@link Misfire#RUN_ALL}
   * @param startingDeadline a fire that is later than this is missed for good; null: it never is
   */
  public record Policies(
      Concurrency concurrency, Misfire misfire, int runsMax, @Nullable Duration startingDeadline) {
    public static final int RUNS_MAX = 100;
    public static final Policies DEFAULT =
        new Policies(Concurrency.ALLOW, Misfire.RUN_ONCE, RUNS_MAX, null);
  }

  /** What happens to a fire while a run of the same schedule is active. */
  public enum Concurrency {
    /** Both run. */
    ALLOW("Allow"),
    /** The new one is passed over, and recorded so. */
    FORBID("Forbid"),
    /** The old one is cancelled; the new one begins when it has ended. */
    REPLACE("Replace"),
    /** The new one waits for the old one's end. */
    QUEUE("Queue");

    private final String word;

    Concurrency(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }
  }

  /** What becomes of fires that were missed because no server was there. */
  public enum Misfire {
    /** None of them runs. */
    SKIP("Skip"),
    /** The last of them runs. */
    RUN_ONCE("RunOnce"),
    /** All of them run, the latest so many. */
    RUN_ALL("RunAll");

    private final String word;

    Misfire(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }
  }
}
