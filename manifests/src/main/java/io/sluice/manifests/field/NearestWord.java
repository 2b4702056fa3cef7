// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Suggests the nearest known word for a misspelt one. */
public final class NearestWord {
  private static final int DISTANCE_MAX = 2;
  private static final int LENGTH_MAX = 64;

  private NearestWord() {}

  /**
   * The word that differs from what was written in case only, else the one with the fewest letters
   * added, left out, replaced or swapped with their neighbour, at most two; null if there is none.
   */
  static @Nullable String find(String written, Collection<String> words) {
    if (written.length() > LENGTH_MAX) {
      return null;
    }
    String nearest = null;
    int nearestDistance = DISTANCE_MAX + 1;
    for (String word : words) {
      int distance = word.equalsIgnoreCase(written) ? 0 : distance(written, word);
      if (distance < nearestDistance && distance < Math.min(word.length(), written.length())) {
        nearest = word;
        nearestDistance = distance;
      }
    }
    return nearest;
  }

  /** As {@code ; did you mean spec?}, or nothing. */
  public static String suggestion(String written, Collection<String> words) {
    String word = find(written, words);
    return word == null ? "" : "; did you mean " + word + "?";
  }

  /** Damerau's distance in which no part is edited twice. */
  private static int distance(String one, String other) {
    int[] beforePrevious = new int[other.length() + 1];
    int[] previous = new int[other.length() + 1];
    Arrays.setAll(previous, at -> at);
    for (int i = 1; i <= one.length(); i++) {
      int[] current = new int[other.length() + 1];
      current[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = previous[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          current[j] = Math.min(current[j], 1 + beforePrevious[j - 2]);
        }
      }
      beforePrevious = previous;
      previous = current;
    }
    return previous[other.length()];
  }
}
