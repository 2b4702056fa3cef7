// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import java.util.List;
import java.util.function.Function;

/**
 * The beginning of a list that may be long.
 *
 * @param count how many there are in all
 * @param first at most {@link #FIRST_MAX} of them
 */
public record Listed<T>(int count, List<T> first) {
  /** How many are named at most. */
  public static final int FIRST_MAX = 50;

  public Listed {
    first = List.copyOf(first);
  }

  /** The beginning of a list that is there as a whole. */
  static <T> Listed<T> of(List<T> all) {
    return of(all, Function.identity());
  }

  /**
   * The same.
   *
   * @param describe makes an entry of those that are named; called for no others
   */
  static <S, T> Listed<T> of(List<S> all, Function<S, T> describe) {
    return new Listed<>(all.size(), all.stream().limit(FIRST_MAX).map(describe).toList());
  }
}
