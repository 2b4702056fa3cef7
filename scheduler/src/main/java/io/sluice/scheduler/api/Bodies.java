// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import java.util.ArrayList;
import java.util.List;

/** Reads request bodies as JSON or YAML, whatever their media type. */
public final class Bodies {
  private Bodies() {}

  /** The one job in a body. */
  public static Manifest.JobManifest job(byte[] body, ReadingTerms terms) {
    List<Manifest.JobManifest> jobs = jobs(body, terms);
    if (jobs.size() != 1) {
      throw new InvalidManifestException(
          List.of(new Violation(2, "", "", "must be one Job: several go to /v1/jobs/bulk")));
    }
    return jobs.get(0);
  }

  /** The jobs in a body, at least one. */
  public static List<Manifest.JobManifest> jobs(byte[] body, ReadingTerms terms) {
    List<Manifest.JobManifest> jobs = new ArrayList<>();
    List<Violation> violations = new ArrayList<>();
    List<Manifest> manifests = placed(body, terms).stream().map(PlacedManifest::manifest).toList();
    for (int number = 1; number <= manifests.size(); number++) {
      if (manifests.get(number - 1) instanceof Manifest.JobManifest job) {
        jobs.add(job);
      } else {
        violations.add(
            new Violation(
                number, "kind", "", "must be Job of sluice.io/v1 here, or a job of Kubernetes"));
      }
    }
    if (!violations.isEmpty()) {
      throw new InvalidManifestException(violations);
    }
    return jobs;
  }

  /** The one quota object in a body. */
  public static QuotaObject quotaObject(ObjectKind kind, byte[] body, ReadingTerms terms) {
    List<Manifest> manifests = placed(body, terms).stream().map(PlacedManifest::manifest).toList();
    if (manifests.size() == 1
        && manifests.get(0) instanceof Manifest.QuotaManifest quota
        && quota.object().kind() == kind) {
      return quota.object();
    }
    throw new InvalidManifestException(
        List.of(new Violation(1, "kind", "", "must be one " + kind + " here")));
  }

  /** The one pipeline in a body. */
  public static Pipeline pipeline(byte[] body, ReadingTerms terms) {
    List<Manifest> manifests = placed(body, terms).stream().map(PlacedManifest::manifest).toList();
    if (manifests.size() == 1 && manifests.get(0) instanceof Manifest.PipelineManifest one) {
      return one.pipeline();
    }
    throw new InvalidManifestException(
        List.of(new Violation(1, "kind", "", "must be one Pipeline of sluice.io/v1 here")));
  }

  /** All objects in a body, at least one, with their positions. */
  public static List<PlacedManifest> placed(byte[] body, ReadingTerms terms) {
    List<PlacedManifest> manifests = ManifestReader.readPlacedWithForeign(body, terms);
    if (manifests.isEmpty()) {
      throw new InvalidManifestException(
          List.of(new Violation(1, "", "", "must not be empty: at least one object is needed")));
    }
    return manifests;
  }
}
