// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.JobId;
import org.jspecify.annotations.Nullable;

/** Why jobs wait, for those who tell it where the jobs came from. */
public interface JobReasons {
  /**
   * A reason.
   *
   * @param word what it is, as a code
   * @param sentence with numbers and names
   */
  record Reason(String word, String sentence) {}

  /** Why a job is not running now; null if nothing of it waits. */
  @Nullable Reason of(JobId job);
}
