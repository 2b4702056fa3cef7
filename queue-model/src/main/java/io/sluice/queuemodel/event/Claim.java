// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A preemptor's reservation of the room that its victims free: other work sees that room as taken.
 * It is not usage.
 *
 * @param holder the index that will be admitted into the room
 * @param wanted what it will be given
 * @param victims the attempts that were told to end for it, or to give up fillers
 * @param displaced jobs that lost this room to the holder, or to those it took it from; they may
 *     not take it back, or preemption would not end
 * @param deadline when the claim ends, come what may
 * @param madeAt time of the round that made it; null of those from before that was kept
 */
public record Claim(
    IndexKey holder,
    Assignment wanted,
    List<AttemptKey> victims,
    List<JobId> displaced,
    Instant deadline,
    @Nullable Instant madeAt) {
  public Claim {
    victims = List.copyOf(victims);
    displaced = List.copyOf(displaced);
  }

  /** Why a claim ended. */
  public enum End {
    /** Its holder was admitted. */
    ADMITTED,
    /** Its holder was cancelled. */
    CANCELLED,
    /** Its holder is held. */
    HELD,
    /** Its holder was given a lower priority, which may not be enough for the claim. */
    LOWERED,
    /** The room went to work that may preempt its holder. */
    SUPERSEDED,
    /** A change of quota or fleet made it useless. */
    USELESS,
    /** Its time was up before it had its room. */
    DEADLINE,
    /** A victim did not drain in its grace period and allowance. */
    NOT_DRAINED
  }
}
