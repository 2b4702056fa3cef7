// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The kinds of reviews, each with its own path. */
enum WebhookQuestion {
  /** Creation of an object that names a queue: must it wait? */
  HOLD("/hold"),
  /**
   * Creation of an object that names no queue, in a namespace with a LocalQueue {@code default}.
   */
  HOLD_BY_DEFAULT("/hold-by-default"),
  /** Update of an object: is it allowed? */
  KEEP("/keep");

  private final String path;

  WebhookQuestion(String path) {
    this.path = path;
  }

  /** Returns the kind of review at a path; null if there is none. */
  static @Nullable WebhookQuestion at(String path) {
    return Arrays.stream(values()).filter(one -> one.path.equals(path)).findFirst().orElse(null);
  }
}
