// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/** The successive states of one job. */
interface JobWatch {
  /**
   * Returns the job as it is. The first call returns at once; a later one waits for a change.
   *
   * @param patience the longest time to wait before the job is read again in any case
   */
  JsonNode next(Duration patience) throws InterruptedException;
}
