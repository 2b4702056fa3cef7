// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.ordering.UsageShare;
import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.DecayedUsage;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.policy.FairWeight;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Current and decayed usage of each LocalQueue. Only admissions, resizes and ends change it: reads
 * have no effect, so their times do not matter. It keeps nothing unless the policy sets admission
 * fair sharing.
 */
public final class LocalQueueUsage {
  private final AdmissionState state;
  private final UsageSamples samples;
  private final TreeMap<QueueKey, DecayedUsage> known = new TreeMap<>();
  private final TreeMap<QueueKey, TreeMap<ResourceName, BigInteger>> inUse = new TreeMap<>();
  private final TreeSet<QueueKey> touched = new TreeSet<>();

  LocalQueueUsage(AdmissionState state) {
    this.state = state;
    this.samples = new UsageSamples(state);
  }

  /** Returns the times at which shares are sampled. */
  UsageSamples samples() {
    return samples;
  }

  private @Nullable AdmissionFairSharing rules() {
    return state.policy().admissionFairSharing();
  }

  /**
   * Returns the decayed usage of a LocalQueue as of the last sample, or of a later change.
   *
   * @return null if the server keeps no usage, or if the ClusterQueue does not order by usage
   */
  public @Nullable DecayedUsage used(LocalQueue queue) {
    AdmissionFairSharing rules = rules();
    QueueState behind = state.queue(queue.clusterQueue());
    if (rules == null || behind == null || !behind.servesByUsage()) {
      return null;
    }
    return used(queue.queueKey(), rules);
  }

  private DecayedUsage used(QueueKey queue, AdmissionFairSharing rules) {
    DecayedUsage used = known.get(queue);
    Instant sample = rules.sampleAt(state.now());
    return used == null
        ? DecayedUsage.nothing(queue, sample)
        : used.until(sample, inUse(queue), rules);
  }

  /**
   * Returns the current share by which a LocalQueue's jobs are ordered and its attempts evicted.
   */
  public UsageShare share(QueueKey queue) {
    AdmissionFairSharing rules = rules();
    LocalQueue object = state.objects().localQueue(queue);
    FairWeight weight = object == null ? FairWeight.ONE : object.fairWeight();
    return new UsageShare(
        rules == null ? BigDecimal.ZERO : used(queue, rules).weighted(rules), weight);
  }

  /** Returns the current usage of a LocalQueue's attempts; empty if usage is not kept. */
  public SortedMap<ResourceName, BigInteger> inUse(QueueKey queue) {
    TreeMap<ResourceName, BigInteger> counted = inUse.get(queue);
    return counted == null
        ? Collections.emptySortedMap()
        : Collections.unmodifiableSortedMap(counted);
  }

  void restore(DecayedUsage stored) {
    if (rules() != null) {
      known.put(stored.queue(), stored);
    }
  }

  /** Counts a restored attempt. */
  void restore(Attempt attempt) {
    if (rules() != null) {
      // An attempt that ran before usage was kept counts from now on.
      QueueKey queue = attempt.job().workload().queue();
      known.computeIfAbsent(queue, key -> DecayedUsage.nothing(key, state.now()));
      count(attempt, 1);
    }
  }

  void admitted(Attempt attempt) {
    AdmissionFairSharing rules = rules();
    if (rules != null) {
      settle(attempt, rules);
      QueueKey queue = attempt.job().workload().queue();
      known.computeIfPresent(
          queue, (key, used) -> used.plus(amounts(attempt), rules.entryPenalty()));
      count(attempt, 1);
      attempt.job().queue().pending().reorder(queue);
    }
  }

  /** Counts an attempt again after a change of its assignment. */
  void resized(Attempt attempt, Runnable change) {
    AdmissionFairSharing rules = rules();
    if (rules == null) {
      change.run();
      return;
    }
    settle(attempt, rules);
    count(attempt, -1);
    change.run();
    count(attempt, 1);
    attempt.job().queue().pending().reorder(attempt.job().workload().queue());
  }

  void ended(Attempt attempt) {
    AdmissionFairSharing rules = rules();
    if (rules != null) {
      settle(attempt, rules);
      count(attempt, -1);
      attempt.job().queue().pending().reorder(attempt.job().workload().queue());
    }
  }

  /** Updates the decayed usage to now, before the current usage changes. */
  private void settle(Attempt attempt, AdmissionFairSharing rules) {
    QueueKey queue = attempt.job().workload().queue();
    DecayedUsage before = known.get(queue);
    known.put(
        queue,
        before == null
            ? DecayedUsage.nothing(queue, state.now())
            : before.until(state.now(), inUse(queue), rules));
    touched.add(queue);
  }

  /**
   * Adds an attempt to the current usage, over all flavors. A sum may exceed the quota of each
   * flavor, and the range of a long.
   */
  private void count(Attempt attempt, int times) {
    TreeMap<ResourceName, BigInteger> used =
        inUse.computeIfAbsent(attempt.job().workload().queue(), absent -> new TreeMap<>());
    amounts(attempt)
        .forEach(
            (resource, amount) ->
                used.merge(resource, amount.multiply(BigInteger.valueOf(times)), BigInteger::add));
    used.values().removeIf(amount -> amount.signum() == 0);
  }

  /** Returns the usage of an attempt by resource, in counted units, over all flavors. */
  public static SortedMap<ResourceName, BigInteger> amounts(Attempt attempt) {
    TreeMap<ResourceName, BigInteger> amounts = new TreeMap<>();
    for (PodSetAssignment podSet : attempt.assignment().podSets()) {
      podSet
          .usage()
          .amounts()
          .forEach(
              (resource, amount) ->
                  amounts.merge(resource, BigInteger.valueOf(amount), BigInteger::add));
    }
    return amounts;
  }

  /** Applies a changed weight of a LocalQueue. */
  void reweigh(LocalQueue queue) {
    QueueState behind = state.queue(queue.clusterQueue());
    if (behind != null) {
      behind.pending().reorder(queue.queueKey());
    }
  }

  /** Forgets a removed LocalQueue; if it is created again, its usage starts at 0. */
  void forget(LocalQueue queue) {
    QueueKey key = queue.queueKey();
    inUse.remove(key);
    if (known.remove(key) != null) {
      touched.add(key);
    }
    QueueState behind = state.queue(queue.clusterQueue());
    if (behind != null) {
      behind.pending().forget(key);
    }
  }

  /** Returns the nonzero decayed usages, by key. */
  List<DecayedUsage> all() {
    return known.values().stream().filter(used -> !used.amounts().isEmpty()).toList();
  }

  /** Returns the usages changed since the last call; a forgotten one is empty. */
  List<DecayedUsage> collectTouched() {
    List<DecayedUsage> changed =
        touched.stream()
            .map(
                queue -> {
                  DecayedUsage used = known.get(queue);
                  return used == null ? DecayedUsage.nothing(queue, state.now()) : used;
                })
            .toList();
    touched.clear();
    return changed;
  }
}
