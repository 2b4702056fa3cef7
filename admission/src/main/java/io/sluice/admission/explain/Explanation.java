// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.admission.flavor.Obstacle;
import io.sluice.admission.state.record.Hold;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Why a job is not running.
 *
 * @param index the explained index, which is the next to admit
 * @param ahead number of jobs of its ClusterQueue that are tried earlier
 * @param obstacles obstacles in each flavor tried
 * @param inTheWay attempts that hold what the job needs
 * @param times when the blocker passes
 * @param change what would let the job start; see {@link SmallestChange} for what of it is verified
 * @param account further details, depending on the blocker
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
  /** Maximum number of attempts that are named. */
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
    this(
        index,
        blocker,
        ahead,
        obstacles,
        inTheWay,
        times,
        change,
        new Account(rungs, null, null, List.of()));
  }

  /**
   * Details of some blockers.
   *
   * @param rungs results for the rungs of its compute class that were tried; empty without a class
   * @param hold its hold; null if it is not held
   * @param submitter running jobs of its submitter; null unless the limit is reached
   * @param dated bookings and outages in the way, by their begin
   */
  public record Account(
      List<RungAccount> rungs,
      @Nullable Hold hold,
      @Nullable SubmitterCount submitter,
      List<Dated> dated) {
    public Account {
      rungs = List.copyOf(rungs);
      dated = List.copyOf(dated);
    }
  }

  /**
   * A booking or an outage.
   *
   * @param clusterQueue queue of a booking; null for an outage
   */
  public record Dated(
      ObjectKey object, @Nullable String clusterQueue, Instant from, Instant until) {
    static Dated of(DatedObject object) {
      String queue = object instanceof Booking booking ? booking.clusterQueue() : null;
      return new Dated(object.key(), queue, object.period().from(), object.period().until());
    }
  }

  /**
   * The number of jobs that a submitter runs from a LocalQueue.
   *
   * @param limit maximum that the LocalQueue allows
   */
  public record SubmitterCount(String name, int running, int limit) {}

  /** Returns a copy with another change. */
  public Explanation withChange(SmallestChange other) {
    return new Explanation(index, blocker, ahead, obstacles, inTheWay, times, other, account);
  }

  /** Returns the results for the rungs that were tried; empty without a class. */
  public List<RungAccount> rungs() {
    return account.rungs();
  }

  /**
   * When a blocker passes.
   *
   * @param until when it passes by itself: end of a backoff, deadline of a claim or a rung, end of
   *     the minimum run time that protects victims; else null
   * @param startsBy when there would be room if all attempts used all of their time and no other
   *     job took the room; null if that depends on work without a time limit
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
   * Returns the explanation as a user may see it who reads some namespaces only: of attempts of
   * jobs elsewhere it tells the ClusterQueue, how many there are and when the last of them ends.
   */
  public Explanation seenBy(Predicate<String> readable) {
    return new Explanation(
        index, blocker, ahead, obstacles, inTheWay.seenBy(readable), times, change, account);
  }

  /**
   * Attempts that hold what a job needs.
   *
   * @param count total number of attempts
   * @param first preferred victims first, at most {@link #IN_THE_WAY_MAX}
   * @param groups all attempts, by ClusterQueue and namespace
   */
  public record InTheWay(int count, List<Holder> first, List<Group> groups) {
    public static final InTheWay NOBODY = new InTheWay(0, List.of(), List.of());

    public InTheWay {
      first = List.copyOf(first);
      groups = List.copyOf(groups);
    }

    private InTheWay seenBy(Predicate<String> readable) {
      List<Group> seen = new ArrayList<>();
      SortedMap<String, Group> hidden = new TreeMap<>();
      for (Group group : groups) {
        String namespace = group.namespace();
        if (namespace != null && readable.test(namespace)) {
          seen.add(group);
        } else {
          hidden.merge(group.clusterQueue(), group.withoutNamespace(), Group::and);
        }
      }
      seen.addAll(hidden.values());
      List<Holder> named =
          first.stream().filter(holder -> readable.test(holder.namespace())).toList();
      return new InTheWay(count, named, seen);
    }

    /** Returns the attempts that are only counted, by ClusterQueue. */
    public List<Group> hidden() {
      return groups.stream().filter(group -> group.namespace() == null).toList();
    }
  }

  /**
   * Attempts of the jobs of one ClusterQueue.
   *
   * @param namespace of their jobs; null: of namespaces that the reader may not read
   * @param latestEnd when the last of them ends; null if that of one of them is unknown
   */
  public record Group(
      String clusterQueue, @Nullable String namespace, int attempts, @Nullable Instant latestEnd) {
    private Group withoutNamespace() {
      return new Group(clusterQueue, null, attempts, latestEnd);
    }

    /** Returns the attempts of both. */
    Group and(Group other) {
      Instant end = latestEnd;
      Instant others = other.latestEnd;
      return new Group(
          clusterQueue,
          namespace,
          attempts + other.attempts,
          end == null || others == null ? null : end.isAfter(others) ? end : others);
    }
  }

  /**
   * An attempt that holds what a job needs.
   *
   * @param namespace namespace of its job
   * @param name name of its job; for an array, with the index
   * @param latestEnd end of its time limit and grace period, or of its lease; null without either
   */
  public record Holder(
      AttemptKey attempt,
      String namespace,
      String name,
      String clusterQueue,
      int priority,
      boolean draining,
      @Nullable Instant latestEnd) {}
}
