// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fan-out of a step: one job per item.
 *
 * @param items the items, each as JSON, if they are known when the pipeline is saved; empty if an
 *     expression gives them
 * @param expression gives a list when the step begins; null: the items are known
 * @param maxParallel how many of the jobs may be there at a time
 */
public record FanOut(List<String> items, @Nullable String expression, int maxParallel) {
  public FanOut {
    items = List.copyOf(items);
  }
}
