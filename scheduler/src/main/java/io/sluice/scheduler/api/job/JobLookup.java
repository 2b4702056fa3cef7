// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.job.StoredJob;
import jakarta.inject.Singleton;

/** Finds the job of a path. */
@Singleton
class JobLookup {
  private final JobReader jobs;

  JobLookup(AgroalDataSource database) {
    this.jobs = new JobReader(database);
  }

  /**
   * The job with an id.
   *
   * @throws ProblemException a 404 if there is none
   */
  StoredJob get(JobId id) {
    StoredJob job = jobs.find(id);
    if (job == null) {
      throw ProblemException.notFound("there is no job " + id);
    }
    return job;
  }
}
