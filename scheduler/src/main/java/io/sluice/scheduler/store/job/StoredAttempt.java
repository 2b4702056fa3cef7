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
 * An attempt with the job that it runs.
 *
 * @param earlier progress before its present generation
 * @param documents the manifest of Kubernetes that was submitted; null: a spec was
 * @param adopted the adopted object of its job; null: none
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
   * The progress of an attempt before its present generation.
   *
   * @param ranFor time since the attempt started, by the database's clock; zero if it has not
   * @param checkpoint the last checkpoint of its index; null: none
   * @param grace remaining grace period of processes of older generations; null: there are none
   */
  public record Earlier(Duration ranFor, @Nullable String checkpoint, @Nullable Duration grace) {}
}
