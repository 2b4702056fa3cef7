// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quantity;

import io.sluice.queuemodel.InvalidValueException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts by resource, each in its resource's counted unit and not negative. An amount of zero is
 * kept: a request of zero is not the same as no request.
 */
public record ResourceList(SortedMap<ResourceName, Long> amounts) {
  public static final ResourceList NONE = new ResourceList(new TreeMap<>());

  public ResourceList {
    for (Map.Entry<ResourceName, Long> entry : amounts.entrySet()) {
      if (entry.getValue() < 0) {
        throw new InvalidValueException(
            "amount of " + entry.getKey() + " is negative: " + entry.getValue());
      }
    }
    amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
  }

  public static ResourceList of(ResourceName resource, long amount) {
    return new ResourceList(new TreeMap<>(Map.of(resource, amount)));
  }

  /** The amount, zero if there is none. */
  public long get(ResourceName resource) {
    return amounts.getOrDefault(resource, 0L);
  }

  /**
   * Each amount, so many times.
   *
   * @throws InvalidValueException if an amount does not fit a long
   */
  public ResourceList times(int factor) {
    TreeMap<ResourceName, Long> result = new TreeMap<>();
    for (Map.Entry<ResourceName, Long> entry : amounts.entrySet()) {
      try {
        result.put(entry.getKey(), Math.multiplyExact(entry.getValue(), (long) factor));
      } catch (ArithmeticException overflow) {
        throw new InvalidValueException(
            factor
                + " times "
                + Quantities.format(entry.getValue(), entry.getKey())
                + " of "
                + entry.getKey()
                + " is too large");
      }
    }
    return new ResourceList(result);
  }

  /**
   * These and the other's amounts together.
   *
   * @throws InvalidValueException if an amount does not fit a long
   */
  public ResourceList plus(ResourceList other) {
    TreeMap<ResourceName, Long> result = new TreeMap<>(amounts);
    for (Map.Entry<ResourceName, Long> entry : other.amounts.entrySet()) {
      try {
        result.merge(entry.getKey(), entry.getValue(), Math::addExact);
      } catch (ArithmeticException overflow) {
        throw new InvalidValueException("the total of " + entry.getKey() + " is too large");
      }
    }
    return new ResourceList(result);
  }

  /**
   * Each amount, so many times. An amount beyond the largest long becomes the largest long, which
   * no quota covers.
   *
   * @param factor not negative
   */
  public ResourceList timesSaturated(int factor) {
    TreeMap<ResourceName, Long> result = new TreeMap<>();
    amounts.forEach(
        (resource, amount) -> {
          boolean beyond = factor > 0 && amount > Long.MAX_VALUE / factor;
          result.put(resource, beyond ? Long.MAX_VALUE : amount * factor);
        });
    return new ResourceList(result);
  }

  /**
   * These and the other's amounts together. A sum beyond the largest long becomes the largest long,
   * which no quota covers.
   */
  public ResourceList plusSaturated(ResourceList other) {
    TreeMap<ResourceName, Long> result = new TreeMap<>(amounts);
    other.amounts.forEach(
        (resource, amount) -> result.merge(resource, amount, ResourceList::saturatedSum));
    return new ResourceList(result);
  }

  /** The sum of two amounts; the largest long if it is more. */
  public static long saturatedSum(long one, long other) {
    long sum = one + other;
    return sum < 0 && one > 0 && other > 0 ? Long.MAX_VALUE : sum;
  }

  public boolean isEmpty() {
    return amounts.isEmpty();
  }

  /** As {@code cpu: 500m, memory: 1Gi}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    amounts.forEach(
        (resource, amount) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(resource)
                .append(": ")
                .append(Quantities.format(amount, resource)));
    return text.toString();
  }
}
