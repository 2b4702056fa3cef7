// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.store.job.ShapeRows;
import java.util.ArrayList;
import java.util.List;

/**
 * The digest of a request that uses idempotency keys: of the canonical manifests of all its jobs,
 * in their order. The same jobs in a longer or shorter request therefore have another digest.
 */
final class RequestDigest {
  private RequestDigest() {}

  /** The canonical manifest of a job; one of Kubernetes stays as it was submitted. */
  static String manifest(Submission job, JobSpec spec) {
    String documents = job.documents();
    return documents == null ? ManifestWriter.writeJson(ManifestWriter.toJson(spec)) : documents;
  }

  /** The digest of jobs as they were sent, before compute classes fill in defaults. */
  static String sent(List<Submission> jobs) {
    List<String> manifests = new ArrayList<>();
    jobs.forEach(job -> manifests.add(manifest(job, job.spec())));
    return of(manifests);
  }

  /** The digest of canonical manifests. */
  static String of(List<String> manifests) {
    return ShapeRows.digest(String.join("\n", manifests));
  }
}
