// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import org.jspecify.annotations.Nullable;

/**
 * A change of one object in an edit.
 *
 * @param before null: the edit creates it
 * @param after null: the edit deletes it
 */
public record Change(ObjectKey key, @Nullable QuotaObject before, @Nullable QuotaObject after) {
  /** The creation or the change of an object. */
  public static Change written(@Nullable QuotaObject before, QuotaObject after) {
    return new Change(after.key(), before, after);
  }

  /** The deletion of an object. */
  public static Change deleted(QuotaObject before) {
    return new Change(before.key(), before, null);
  }
}
