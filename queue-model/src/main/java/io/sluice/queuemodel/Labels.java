// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Labels or annotations, in the order of their keys. */
public record Labels(SortedMap<String, String> entries) {
  public static final Labels NONE = new Labels(new TreeMap<>());

  public Labels {
    entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
  }

  public static Labels of(Map<String, String> entries) {
    return entries.isEmpty() ? NONE : new Labels(new TreeMap<>(entries));
  }

  public @Nullable String get(String key) {
    return entries.get(key);
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Whether each of the other's labels is here with the same value. */
  public boolean containsAll(Labels other) {
    for (Map.Entry<String, String> entry : other.entries.entrySet()) {
      if (!entry.getValue().equals(entries.get(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /** These labels and the other's; where both have a key, the other's value. */
  public Labels with(Labels other) {
    TreeMap<String, String> all = new TreeMap<>(entries);
    all.putAll(other.entries);
    return new Labels(all);
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
