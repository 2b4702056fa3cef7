// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import org.jspecify.annotations.Nullable;

/** A kind of object that has a namespace and a name, and that callers refer to by name. */
public enum NamedKind {
  /** Several jobs of one namespace may have the same name. */
  JOB("job", "Job"),
  /** A run of a pipeline; its name is {@code PIPELINE-NUMBER}. */
  RUN("run", "Run"),
  PIPELINE("pipeline", "Pipeline"),
  /** A schedule of a pipeline; its name is {@code PIPELINE/SCHEDULE}. */
  SCHEDULE("schedule", "Schedule"),
  LOCAL_QUEUE("localqueue", "LocalQueue");

  private final String word;
  private final String kind;

  NamedKind(String word, String kind) {
    this.word = word;
    this.kind = kind;
  }

  /** The kind as manifests and the audit write it. */
  public String kind() {
    return kind;
  }

  /** The kind in lower case, as in paths and sentences. */
  public String word() {
    return word;
  }

  /** Number of parts of a name without its namespace, separated by slashes. */
  public int parts() {
    return this == SCHEDULE ? 2 : 1;
  }

  /** Whether objects of the kind also have an id. */
  public boolean hasId() {
    return this == JOB || this == RUN;
  }

  /** The kind of a word; null if there is none. */
  public static @Nullable NamedKind of(String word) {
    for (NamedKind kind : values()) {
      if (kind.word.equals(word)) {
        return kind;
      }
    }
    return null;
  }
}
