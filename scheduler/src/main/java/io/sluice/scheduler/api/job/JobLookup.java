// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.job.StoredJob;
import jakarta.inject.Singleton;

/** Finds the job of a path. */
@Singleton
public class JobLookup {
  private final JobReader jobs;
  private final CurrentCaller caller;

  JobLookup(AgroalDataSource database, CurrentCaller caller) {
    this.caller = caller;
    this.jobs = new JobReader(database);
  }

  /**
   * The job with an id.
   *
   * @throws ProblemException a 404 if there is none, or the caller may not read it: an id tells
   *     nothing about jobs of other namespaces
   */
  StoredJob get(JobId id) {
    return get(id, caller.readable());
  }

  /**
   * The job with an id, in one of these namespaces.
   *
   * @throws ProblemException a 404 if there is none
   */
  public StoredJob get(JobId id, NamespaceScope namespaces) {
    StoredJob job = jobs.find(id);
    if (job == null || !namespaces.contains(job.origin().namespace())) {
      throw ProblemException.notFound("there is no job " + id);
    }
    return job;
  }
}
