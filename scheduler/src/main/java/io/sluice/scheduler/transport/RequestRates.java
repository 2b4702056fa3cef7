// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;

/**
 * Token buckets of request senders, one for each key: a sender may send a burst of {@value
 * #BURST_SECONDS} seconds' requests at once, and in the long run so many per second.
 *
 * <p>At most {@value #TRACKED_MAX} senders are remembered. A forgotten sender begins with a full
 * bucket, so a flood from more addresses than that is bounded by the number of connections alone.
 */
final class RequestRates {
  /** Number of senders that are remembered; each takes some 300 bytes. */
  static final int TRACKED_MAX = 10_000;

  static final int BURST_SECONDS = 4;

  private final Cache<String, Bucket> buckets;
  private final long perSecond;
  private final TimeMeter clock;

  /**
   * Creates buckets.
   *
   * @param perSecond requests per second of one sender, at least 1
   */
  RequestRates(long perSecond, TimeMeter clock) {
    this.perSecond = perSecond;
    this.clock = clock;
    // A bucket that was not used for the time of a burst is full, as a new one is.
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(TRACKED_MAX)
            .expireAfterAccess(Duration.ofSeconds(2 * BURST_SECONDS))
            .ticker(clock::currentTimeNanos)
            .executor(Runnable::run)
            .build();
  }

  /** Takes one request of a sender; returns false if it has to wait. */
  boolean admit(String sender) {
    return buckets.get(sender, unknown -> bucket()).tryConsume(1);
  }

  private Bucket bucket() {
    return Bucket.builder()
        .addLimit(
            limit ->
                limit
                    .capacity(perSecond * BURST_SECONDS)
                    .refillGreedy(perSecond, Duration.ofSeconds(1)))
        .withCustomTimePrecision(clock)
        .build();
  }

  /** Returns the number of senders that are remembered, without those that have expired. */
  long tracked() {
    buckets.cleanUp();
    return buckets.estimatedSize();
  }
}
