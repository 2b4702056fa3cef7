// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt with what its job runs.
 *
 * @param earlier what was before its present generation
 * @param documents what its job was submitted as; null: a spec
 * @param adopted the object in a cluster that its job is; null: it is none
 */
public record StoredAttempt(
    AttemptKey key,
    int generation,
    AttemptState state,
    JobSpec job,
    Assignment assignment,
    Earlier earlier,
    @Nullable String documents,
    @Nullable AdoptedObject adopted) {
  /**
   * What was before.
   *
   * @param ranFor since the attempt started, by the database's clock; zero if it has not
   * @param checkpoint the last that its index came to; null: none
   * @param grace what is left to processes of older generations to end in; null: there are none
   */
  public record Earlier(Duration ranFor, @Nullable String checkpoint, @Nullable Duration grace) {}
}
