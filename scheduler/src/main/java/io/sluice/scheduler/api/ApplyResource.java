// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.security.ForbiddenException;
import io.sluice.manifests.InvalidManifestException;
import io.sluice.manifests.Manifest;
import io.sluice.manifests.Violation;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.submission.Acknowledgement;
import io.sluice.scheduler.submission.QuotaAdministration;
import io.sluice.scheduler.submission.Submission;
import io.sluice.scheduler.submission.SubmissionWriter;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Applies manifests of any kind that is known, all or none: quota objects are created or changed,
 * jobs are submitted after them.
 */
@Path("/v1/apply")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.SUBMITTERS)
@Blocking
public class ApplyResource {
  private final QuotaAdministration administration;
  private final SubmissionWriter submissions;
  private final CurrentCaller caller;

  ApplyResource(
      QuotaAdministration administration, SubmissionWriter submissions, CurrentCaller caller) {
    this.caller = caller;
    this.administration = administration;
    this.submissions = submissions;
  }

  /**
   * Applies a body of one or more documents.
   *
   * @param key makes the jobs in it the same ones when it is applied again
   */
  @POST
  @Consumes(MediaType.WILDCARD)
  public Response apply(byte[] body, @HeaderParam("Idempotency-Key") @Nullable String key) {
    String checked = Parameters.key(key);
    List<QuotaObject> objects = new ArrayList<>();
    List<JobSpec> jobs = new ArrayList<>();
    sort(Bodies.manifests(body), objects, jobs);
    Caller who = permitted(objects, jobs);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode results = json.putArray("results");
    for (QuotaAdministration.Applied applied : administration.apply(objects, jobs, who)) {
      ObjectKey object = applied.stored().object().key();
      ObjectNode one = results.addObject();
      one.put("kind", object.kind().kind());
      if (!object.namespace().isEmpty()) {
        one.put("namespace", object.namespace());
      }
      one.put("name", object.name());
      one.put("result", applied.result().name().toLowerCase(Locale.ROOT));
    }
    submit(jobs, who, checked, results);
    return Response.ok(json).build();
  }

  private static void sort(
      List<Manifest> manifests, List<QuotaObject> objects, List<JobSpec> jobs) {
    List<Violation> violations = new ArrayList<>();
    for (int number = 1; number <= manifests.size(); number++) {
      Manifest manifest = manifests.get(number - 1);
      if (manifest instanceof Manifest.QuotaManifest quota) {
        objects.add(quota.object());
      } else if (manifest instanceof Manifest.JobManifest job) {
        jobs.add(job.job());
      } else {
        violations.add(
            new Violation(
                number, "kind", "Fleet", "is given to the server at its start, by --fleet"));
      }
    }
    if (!violations.isEmpty()) {
      throw new InvalidManifestException(violations);
    }
  }

  /** Only administrators write quota objects; submitters write jobs in their namespaces. */
  private Caller permitted(List<QuotaObject> objects, List<JobSpec> jobs) {
    Caller who = caller.submitterIn(jobs.stream().map(job -> job.meta().namespace()).toList());
    if (who.role() != Role.ADMIN && !objects.isEmpty()) {
      throw new ForbiddenException(
          "%s, a %s, may not write %s"
              .formatted(who.name(), who.role().word(), objects.get(0).key()));
    }
    return who;
  }

  private void submit(
      List<JobSpec> jobs, Caller submitter, @Nullable String key, ArrayNode results) {
    if (jobs.isEmpty()) {
      return;
    }
    List<Submission> all = new ArrayList<>();
    for (int number = 0; number < jobs.size(); number++) {
      all.add(new Submission(jobs.get(number), submitter, key == null ? null : key + "/" + number));
    }
    List<Acknowledgement> acknowledged = submissions.submit(all).join();
    for (int number = 0; number < jobs.size(); number++) {
      ObjectNode one = results.addObject();
      one.put("kind", "Job");
      one.put("namespace", jobs.get(number).meta().namespace());
      one.put("name", jobs.get(number).meta().name());
      one.put("result", acknowledged.get(number).replayed() ? "unchanged" : "created");
      one.put("id", acknowledged.get(number).job().toString());
    }
  }
}
