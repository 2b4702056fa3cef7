// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.queuemodel.job.JobId;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Generates UUIDs of version 7 (RFC 9562): milliseconds, then 74 random bits, so they sort by age.
 */
final class JobIds {
  private static final int TIME_SHIFT = 16;
  private static final long VERSION_7 = 0x7000L;
  private static final long RANDOM_12 = 0x0fffL;
  private static final long VARIANT = 0x8000000000000000L;
  private static final long RANDOM_62 = 0x3fffffffffffffffL;

  private final SecureRandom random = new SecureRandom();

  JobId next(long nowMillis) {
    long high = (nowMillis << TIME_SHIFT) | VERSION_7 | (random.nextLong() & RANDOM_12);
    long low = VARIANT | (random.nextLong() & RANDOM_62);
    return new JobId(new UUID(high, low));
  }
}
