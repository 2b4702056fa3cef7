// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

/** A kind of object whose names the server resolves. */
public enum NamedKind {
  JOB("job"),
  RUN("run"),
  PIPELINE("pipeline"),
  SCHEDULE("schedule"),
  LOCAL_QUEUE("localqueue");

  private final String word;

  NamedKind(String word) {
    this.word = word;
  }

  /** Returns the kind as in the server's paths. */
  String word() {
    return word;
  }
}
