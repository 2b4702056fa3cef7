// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.security.Caller;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A change, and who made it.
 *
 * @param job null if it is about none
 * @param detail what a reader may want to know besides; an object
 */
public record AuditEntry(
    Caller caller,
    Action action,
    String kind,
    String namespace,
    String name,
    @Nullable JobId job,
    JsonNode detail) {
  /** What was done. */
  public enum Action {
    SUBMIT,
    CANCEL,
    RESUME,
    RERUN,
    PAUSE,
    HOLD,
    RELEASE,
    PRIORITIZE,
    CHECKPOINT,
    CREATE,
    UPDATE,
    DELETE,
    RECLAIM,
    RETURN,
    FAIL,
    CONFIRM_LOST;

    /** The word for it in rows and answers. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
