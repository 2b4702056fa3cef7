// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quantity;

import io.sluice.queuemodel.Names;

/**
 * The name of a resource with quota, such as {@code cpu} or {@code google.com/tpu}. Amounts of
 * {@code cpu} are counted in thousandths of a core, those of every other resource in whole units
 * (bytes, chips, devices), as Kueue counts them.
 */
public record ResourceName(String value) implements Comparable<ResourceName> {
  public static final ResourceName CPU = new ResourceName("cpu");
  public static final ResourceName MEMORY = new ResourceName("memory");

  /** Of a node: how many pods it takes. */
  public static final ResourceName PODS = new ResourceName("pods");

  public static final ResourceName TPU = new ResourceName("google.com/tpu");

  private static final int MILLI = 1000;

  public ResourceName {
    Names.requireQualified(value);
  }

  /** How many counted units make one: 1000 for {@code cpu}, else 1. */
  public int unitsPerOne() {
    return "cpu".equals(value) ? MILLI : 1;
  }

  @Override
  public int compareTo(ResourceName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
