// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is said of a claim. */
class EventSentenceTest {
  private static final JobId HOLDER = new JobId(new UUID(0, 1));
  private static final JobId ONE = new JobId(new UUID(0, 2));
  private static final JobId OTHER = new JobId(new UUID(0, 3));

  private static String sentence(List<JobId> displaced, JobId... victims) {
    Claim claim =
        new Claim(
            new IndexKey(HOLDER, 0),
            new Assignment("training", List.of(), List.of("v6e-0", "v6e-1"), null),
            List.of(victims).stream().map(job -> new AttemptKey(job, 0, 1)).toList(),
            displaced,
            Instant.EPOCH,
            Instant.EPOCH);
    return EventSentence.of(new Event.Claimed(claim));
  }

  @Test
  void attemptsThatAreToEndAreCalledEvicted() {
    assertThat(sentence(List.of(ONE, OTHER), ONE, OTHER))
        .isEqualTo("waits for 2 evicted attempts to leave v6e-0, v6e-1");
    assertThat(sentence(List.of(ONE), ONE))
        .isEqualTo("waits for 1 evicted attempt to leave v6e-0, v6e-1");
  }

  @Test
  void attemptsThatGoOnWithFewerSlicesAreNotCalledEvicted() {
    assertThat(sentence(List.of(), ONE))
        .isEqualTo("waits for 1 attempt to shrink and leave v6e-0, v6e-1");
    assertThat(sentence(List.of(), ONE, OTHER))
        .isEqualTo("waits for 2 attempts to shrink and leave v6e-0, v6e-1");
  }

  @Test
  void anAttemptThatMovesUpWaitsForItself() {
    assertThat(sentence(List.of(), HOLDER))
        .isEqualTo("is to go on, when it has drained, on v6e-0, v6e-1");
  }
}
