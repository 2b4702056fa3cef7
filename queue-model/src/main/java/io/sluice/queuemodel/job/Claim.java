// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.time.Instant;
import java.util.List;

/**
 * A preemptor's hold on the room that its victims free: others see that room as taken. It is not
 * usage.
 *
 * @param holder the index that will be admitted into the room
 * @param wanted what it will be given
 * @param victims the attempts that were told to end for it
 * @param displaced jobs that lost this room to the holder, or to those it took it from; they may
 *     not take it back, or preemption would not end
 * @param deadline when the claim ends, come what may
 */
public record Claim(
    IndexKey holder,
    Assignment wanted,
    List<AttemptKey> victims,
    List<JobId> displaced,
    Instant deadline) {
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
    /** The room went to work that may preempt its holder. */
    SUPERSEDED,
    /** A change of quota or fleet made it useless. */
    USELESS,
    /** Its victims did not go in time. */
    DEADLINE
  }
}
