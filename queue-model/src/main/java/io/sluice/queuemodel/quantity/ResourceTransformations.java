// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quantity;

import io.sluice.queuemodel.InvalidValueException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The conversion of requests to amounts against quota: exclude resources, then transform others.
 * Amounts are exact until the end, and rounded up to counted units there.
 *
 * @param excludedPrefixes of the names of resources that do not count
 * @param transformations no two of one input
 */
public record ResourceTransformations(
    List<String> excludedPrefixes, List<ResourceTransformation> transformations) {
  /** Everything counts as itself. */
  public static final ResourceTransformations NONE =
      new ResourceTransformations(List.of(), List.of());

  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  public ResourceTransformations {
    excludedPrefixes = List.copyOf(excludedPrefixes);
    transformations = List.copyOf(transformations);
  }

  /** Whether every request counts as it is. */
  public boolean isEmpty() {
    return excludedPrefixes.isEmpty() && transformations.isEmpty();
  }

  /**
   * What the requests of a pod count as.
   *
   * @throws InvalidValueException if an amount does not fit a long
   */
  public ResourceList of(ResourceList requests) {
    if (isEmpty()) {
      return requests;
    }
    SortedMap<ResourceName, BigDecimal> asked = new TreeMap<>();
    requests
        .amounts()
        .forEach(
            (resource, amount) -> {
              if (excludedPrefixes.stream().noneMatch(resource.value()::startsWith)) {
                asked.put(resource, exact(amount, resource));
              }
            });
    SortedMap<ResourceName, BigDecimal> counted = new TreeMap<>();
    asked.forEach((resource, amount) -> transform(resource, amount, asked, counted));
    SortedMap<ResourceName, Long> rounded = new TreeMap<>();
    counted.forEach((resource, amount) -> rounded.put(resource, rounded(amount, resource)));
    return new ResourceList(rounded);
  }

  private void transform(
      ResourceName resource,
      BigDecimal amount,
      Map<ResourceName, BigDecimal> asked,
      Map<ResourceName, BigDecimal> counted) {
    for (ResourceTransformation one : transformations) {
      if (one.input().equals(resource)) {
        BigDecimal factor =
            one.multiplyBy() == null
                ? BigDecimal.ONE
                : asked.getOrDefault(one.multiplyBy(), BigDecimal.ONE);
        BigDecimal input = amount.multiply(factor);
        one.outputs()
            .forEach(
                (output, each) -> counted.merge(output, input.multiply(each), BigDecimal::add));
        if (one.retains()) {
          counted.merge(resource, input, BigDecimal::add);
        }
        return;
      }
    }
    counted.merge(resource, amount, BigDecimal::add);
  }

  private static BigDecimal exact(long amount, ResourceName resource) {
    return BigDecimal.valueOf(amount).divide(BigDecimal.valueOf(resource.unitsPerOne()));
  }

  private static long rounded(BigDecimal amount, ResourceName resource) {
    BigDecimal units =
        amount
            .multiply(BigDecimal.valueOf(resource.unitsPerOne()))
            .setScale(0, RoundingMode.CEILING);
    if (units.compareTo(MAX) > 0) {
      throw new InvalidValueException("what it counts as of " + resource + " is too large");
    }
    return units.longValueExact();
  }
}
