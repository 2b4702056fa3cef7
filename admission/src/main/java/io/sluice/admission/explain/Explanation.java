// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.admission.flavor.Obstacle;
import io.sluice.admission.state.record.Hold;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job is not running.
 *
 * @param index the index it is about: the next to be admitted
 * @param ahead how many jobs of its ClusterQueue are tried before it
 * @param obstacles what is in the way in each flavor that was looked at
 * @param inTheWay who holds what it needs
 * @param times when it passes
 * @param change what would let it start; see {@link SmallestChange} for what is verified of it
 * @param account what more there is to say, as the blocker asks for it
 */
public record Explanation(
    IndexKey index,
    Blocker blocker,
    int ahead,
    List<Obstacle> obstacles,
    InTheWay inTheWay,
    Times times,
    SmallestChange change,
    Account account) {
  /** How many attempts are named at most. */
  public static final int IN_THE_WAY_MAX = 10;

  public Explanation {
    obstacles = List.copyOf(obstacles);
  }

  Explanation(
      IndexKey index,
      Blocker blocker,
      int ahead,
      List<Obstacle> obstacles,
      InTheWay inTheWay,
      Times times,
      SmallestChange change,
      List<RungAccount> rungs) {
    this(index, blocker, ahead, obstacles, inTheWay, times, change, new Account(rungs, null, null));
  }

  /**
   * What more there is to say of some blockers.
   *
   * @param rungs of its compute class that were looked at; none without a class
   * @param hold if it is held
   * @param submitter if its submitter may run no more
   */
  public record Account(
      List<RungAccount> rungs, @Nullable Hold hold, @Nullable SubmitterCount submitter) {
    public Account {
      rungs = List.copyOf(rungs);
    }
  }

  /**
   * How many jobs somebody runs from a LocalQueue.
   *
   * @param limit how many it allows
   */
  public record SubmitterCount(String name, int running, int limit) {}

  /** The same with another change. */
  public Explanation withChange(SmallestChange other) {
    return new Explanation(index, blocker, ahead, obstacles, inTheWay, times, other, account);
  }

  /** Of its compute class that were looked at; none without a class. */
  public List<RungAccount> rungs() {
    return account.rungs();
  }

  /**
   * When a blocker passes.
   *
   * @param until when it passes by itself: end of a backoff, deadline of a claim or a rung; else
   *     null
   * @param startsBy when there would be room even if everybody who is to end used all of their
   *     time, and nobody overtook it; null if that depends on work without a time limit
   */
  public record Times(@Nullable Instant until, @Nullable Instant startsBy) {
    static final Times UNKNOWN = new Times(null, null);

    static Times until(@Nullable Instant until) {
      return new Times(until, null);
    }
  }

  public @Nullable Instant until() {
    return times.until();
  }

  public @Nullable Instant startsBy() {
    return times.startsBy();
  }

  /**
   * Attempts that hold what a job needs.
   *
   * @param count how many there are in all
   * @param first those that would be evicted first, at most {@link #IN_THE_WAY_MAX}
   */
  public record InTheWay(int count, List<Holder> first) {
    public static final InTheWay NOBODY = new InTheWay(0, List.of());

    public InTheWay {
      first = List.copyOf(first);
    }
  }

  /**
   * An attempt that holds what a job needs.
   *
   * @param name of its job; of an array, with the index
   * @param latestEnd start, time limit and grace, or the end of its lease; null without either
   */
  public record Holder(
      AttemptKey attempt,
      String name,
      String clusterQueue,
      int priority,
      boolean draining,
      @Nullable Instant latestEnd) {}
}
