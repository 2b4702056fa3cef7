// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.security.Caller;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An audit record: a change, and the caller who made it; or requests that a caller was denied.
 *
 * @param job null if it concerns none
 * @param detail further facts, as a JSON object
 */
public record AuditEntry(
    Caller caller,
    Action action,
    String kind,
    String namespace,
    String name,
    @Nullable JobId job,
    JsonNode detail) {
  /** The kind of a change. */
  public enum Action {
    SUBMIT,
    CANCEL,
    RESUME,
    RERUN,
    PAUSE,
    HOLD,
    RELEASE,
    PRIORITIZE,
    LIMIT,
    CHECKPOINT,
    CREATE,
    UPDATE,
    DELETE,
    ROTATE,
    RECLAIM,
    RETURN,
    FAIL,
    CONFIRM_LOST,
    /** Requests of the caller were denied, and nothing was changed. */
    DENY;

    /** The word for it in rows and answers. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
