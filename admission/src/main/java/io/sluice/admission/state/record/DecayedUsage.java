// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.QueueKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The decayed usage of a LocalQueue at a given time, usually its last admission or end.
 *
 * @param amounts amounts by resource, in counted units, with {@link AdmissionFairSharing#SCALE}
 *     decimal digits
 * @param at time of the amounts
 */
public record DecayedUsage(
    QueueKey queue, SortedMap<ResourceName, BigDecimal> amounts, Instant at) {
  public DecayedUsage {
    TreeMap<ResourceName, BigDecimal> scaled = new TreeMap<>();
    amounts.forEach(
        (resource, amount) ->
            scaled.put(
                resource, amount.setScale(AdmissionFairSharing.SCALE, RoundingMode.HALF_EVEN)));
    amounts = Collections.unmodifiableSortedMap(scaled);
  }

  /** Returns the usage of a LocalQueue that has used nothing. */
  public static DecayedUsage nothing(QueueKey queue, Instant at) {
    return new DecayedUsage(queue, Collections.emptySortedMap(), at);
  }

  /**
   * Returns the usage at a later time, decayed towards a constant current usage.
   *
   * @param inUse current usage by resource, in counted units
   */
  public DecayedUsage until(
      Instant later, SortedMap<ResourceName, BigInteger> inUse, AdmissionFairSharing rules) {
    if (!later.isAfter(at)) {
      return this;
    }
    BigDecimal left = rules.left(Duration.between(at, later));
    TreeMap<ResourceName, BigDecimal> decayed = new TreeMap<>();
    SortedSet<ResourceName> resources = new TreeSet<>(amounts.keySet());
    if (!rules.halfLife().isZero()) {
      resources.addAll(inUse.keySet());
    }
    for (ResourceName resource : resources) {
      BigDecimal towards =
          rules.halfLife().isZero()
              ? BigDecimal.ZERO
              : new BigDecimal(inUse.getOrDefault(resource, BigInteger.ZERO));
      BigDecimal before = amounts.getOrDefault(resource, BigDecimal.ZERO);
      decayed.put(resource, towards.add(before.subtract(towards).multiply(left)));
    }
    return new DecayedUsage(queue, decayed, later);
  }

  /**
   * Returns this usage plus a fraction of the requested amounts.
   *
   * @param asked requested amounts by resource, in counted units
   */
  public DecayedUsage plus(SortedMap<ResourceName, BigInteger> asked, BigDecimal part) {
    TreeMap<ResourceName, BigDecimal> more = new TreeMap<>(amounts);
    asked.forEach(
        (resource, amount) ->
            more.merge(resource, new BigDecimal(amount).multiply(part), BigDecimal::add));
    return new DecayedUsage(queue, more, at);
  }

  /** Returns the weighted sum of the resources, in whole units. */
  public BigDecimal weighted(AdmissionFairSharing rules) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Map.Entry<ResourceName, BigDecimal> entry : amounts.entrySet()) {
      BigDecimal units = entry.getValue().divide(BigDecimal.valueOf(entry.getKey().unitsPerOne()));
      sum = sum.add(units.multiply(rules.weight(entry.getKey())));
    }
    return sum;
  }
}
