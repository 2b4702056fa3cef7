// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import java.util.List;
import java.util.function.Function;

/**
 * A prefix of a possibly long list, with its total size.
 *
 * @param count total number of elements
 * @param first at most {@link #FIRST_MAX} elements
 */
public record Listed<T>(int count, List<T> first) {
  /** Maximum number of elements that are listed. */
  public static final int FIRST_MAX = 50;

  public Listed {
    first = List.copyOf(first);
  }

  /** Creates a prefix of a list. */
  static <T> Listed<T> of(List<T> all) {
    return of(all, Function.identity());
  }

  /**
   * Creates a prefix of a list with converted elements.
   *
   * @param describe converts a listed element; not called for others
   */
  static <S, T> Listed<T> of(List<S> all, Function<S, T> describe) {
    return new Listed<>(all.size(), all.stream().limit(FIRST_MAX).map(describe).toList());
  }
}
