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
 * What each LocalQueue uses and has used of late. Only the state changes it, by admissions and
 * ends: looking at it changes nothing, so it does not matter who looked when. Nothing is kept
 * unless the policy says how usage decays.
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

  /** When shares change with time. */
  UsageSamples samples() {
    return samples;
  }

  private @Nullable AdmissionFairSharing rules() {
    return state.policy().admissionFairSharing();
  }

  /**
   * What a LocalQueue has used as of the last sample, or since.
   *
   * @return null if that does not count: the server keeps no usage, or its ClusterQueue does not
   *     serve by it
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

  /** The share by which a LocalQueue's jobs stand and its attempts are evicted, as of now. */
  public UsageShare share(QueueKey queue) {
    AdmissionFairSharing rules = rules();
    LocalQueue object = state.objects().localQueue(queue);
    FairWeight weight = object == null ? FairWeight.ONE : object.fairWeight();
    return new UsageShare(
        rules == null ? BigDecimal.ZERO : used(queue, rules).weighted(rules), weight);
  }

  /** What attempts that came by a LocalQueue use now, where usage is kept; nothing elsewhere. */
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

  /** Takes up an attempt that was admitted before. */
  void restore(Attempt attempt) {
    if (rules() != null) {
      // What ran before usage was kept counts from now on.
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

  /** Counts an attempt as it is after a change to its assignment. */
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

  /** Counts until now with what was in use, since that is about to change. */
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
   * Counts over all flavors, so a sum may be more than the quota of any of them, and than a long.
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

  /** What an attempt uses by resource, in counted units, whatever the flavors. */
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

  /** Takes up the weight of a LocalQueue. */
  void reweigh(LocalQueue queue) {
    QueueState behind = state.queue(queue.clusterQueue());
    if (behind != null) {
      behind.pending().reorder(queue.queueKey());
    }
  }

  /** One that comes again has used nothing. */
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

  /** Of those that used anything, by key. */
  List<DecayedUsage> all() {
    return known.values().stream().filter(used -> !used.amounts().isEmpty()).toList();
  }

  /** Those that changed since this was last called; of one that is forgotten nothing is left. */
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
