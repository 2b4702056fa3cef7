// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.JobId;
import org.jspecify.annotations.Nullable;

/** Answers why a job is not running, for adoption to write into the user's object. */
public interface JobReasons {
  /**
   * A reason to wait.
   *
   * @param word code of the reason
   * @param sentence explanation with numbers and names
   */
  record Reason(String word, String sentence) {}

  /** Returns why a job is not running now; null if none of its indices waits. */
  @Nullable Reason of(JobId job);
}
