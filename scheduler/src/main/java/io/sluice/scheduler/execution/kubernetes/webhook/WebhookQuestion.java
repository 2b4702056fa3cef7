// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What an API server may ask, each at a path of its own. */
enum WebhookQuestion {
  /** Of an object that is created and names a queue: whether it waits. */
  HOLD("/hold"),
  /** Of one that names none, in a namespace with a LocalQueue {@code default}. */
  HOLD_BY_DEFAULT("/hold-by-default"),
  /** Of a change: whether it may be. */
  KEEP("/keep");

  private final String path;

  WebhookQuestion(String path) {
    this.path = path;
  }

  /** The question that is asked at a path; null if none is. */
  static @Nullable WebhookQuestion at(String path) {
    return Arrays.stream(values()).filter(one -> one.path.equals(path)).findFirst().orElse(null);
  }
}
