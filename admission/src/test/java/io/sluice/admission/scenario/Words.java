// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The words of a line, read one after another. */
final class Words {
  private final Deque<String> words;

  Words(String line) {
    words = new ArrayDeque<>(Arrays.asList(line.strip().split("\\s+", -1)));
  }

  boolean more() {
    return !words.isEmpty();
  }

  String next() {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("a word is missing at the end");
    }
    return words.remove();
  }

  int nextInt() {
    return Integer.parseInt(next());
  }

  /** The next word, which stays there; null if there is none. */
  @Nullable String peek() {
    return words.peek();
  }

  /** Whether the next word is this one, which is then read. */
  boolean accept(String word) {
    boolean accepted = more() && words.element().equals(word);
    if (accepted) {
      words.remove();
    }
    return accepted;
  }

  String rest() {
    String rest = String.join(" ", words);
    words.clear();
    return rest;
  }
}
