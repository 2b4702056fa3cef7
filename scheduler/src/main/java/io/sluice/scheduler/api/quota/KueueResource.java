// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.manifests.Configuration;
import io.sluice.manifests.document.Violation;
import io.sluice.restmodel.quota.KueueExported;
import io.sluice.restmodel.quota.KueueImported;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.api.explanation.EditPreviews;
import io.sluice.scheduler.api.explanation.PreviewAnswers;
import io.sluice.scheduler.kueue.KueueExport;
import io.sluice.scheduler.kueue.KueueImport;
import io.sluice.scheduler.kueue.KueuePlan;
import io.sluice.scheduler.kueue.KueueSetup;
import io.sluice.scheduler.kueue.KueueSource;
import io.sluice.scheduler.kueue.KueueUnreadableException;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.WriteTransactions;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Imports the quota objects of a cluster's Kueue, and exports them again, over REST. */
@Tag(name = "Kueue")
@Path("/v1/kueue")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
class KueueResource {
  private final KueueSource source;
  private final KueueImport imports;
  private final KueueExport exports;
  private final WriteTransactions transactions;
  private final EditPreviews previews;
  private final Configuration configuration;
  private final CurrentCaller caller;

  KueueResource(
      KueueSource source,
      KueueImport imports,
      KueueExport exports,
      WriteTransactions transactions,
      EditPreviews previews,
      Configuration configuration,
      CurrentCaller caller) {
    this.source = source;
    this.imports = imports;
    this.exports = exports;
    this.transactions = transactions;
    this.previews = previews;
    this.configuration = configuration;
    this.caller = caller;
  }

  /**
   * Imports a cluster's quota objects, all or none.
   *
   * @param cluster may be omitted if there is only one
   * @param dryRun true: stores nothing, and answers with the result for each object
   * @param withoutChecks true: imports ClusterQueues without their admission checks
   */
  @Operation(
      operationId = "importKueue",
      summary = "Imports the quota objects of a cluster's Kueue, all or none")
  @POST
  @Path("/import")
  @RolesAllowed(Right.ADMINISTERS)
  public KueueImported take(
      @QueryParam("cluster") @Nullable String cluster,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
      @QueryParam("withoutChecks") @DefaultValue("false") boolean withoutChecks) {
    KueuePlan plan = KueuePlan.of(read(cluster), configuration.readingTerms(), withoutChecks);
    if (!plan.refused().isEmpty()) {
      return refused(plan, plan.refused(), dryRun);
    }
    Caller who = caller.get();
    try {
      return dryRun ? preview(plan, who) : write(plan, who);
    } catch (RefusedException refused) {
      List<Violation> found = refused.refusal().violations();
      if (found.isEmpty()) {
        throw refused;
      }
      return refused(plan, found.stream().map(plan::refused).toList(), dryRun);
    }
  }

  private KueueSetup read(@Nullable String cluster) {
    try {
      return source.read(cluster);
    } catch (KueueUnreadableException unreadable) {
      String why = String.valueOf(unreadable.getMessage());
      throw unreadable.away()
          ? new ProblemException(ProblemKind.CLUSTER_UNAVAILABLE, why)
          : new ProblemException(ProblemKind.KUEUE_UNREADABLE, why);
    }
  }

  private KueueImported write(KueuePlan plan, Caller who) {
    KueueImport.Written written = transactions.keep(() -> imports.write(plan, who));
    return KueueAnswers.taken(plan, written, null);
  }

  private KueueImported preview(KueuePlan plan, Caller who) {
    EditPreviews.Previewed<KueueImport.Written> previewed =
        previews.of(() -> imports.write(plan, who), written -> List.of());
    return KueueAnswers.taken(
        plan, previewed.written(), PreviewAnswers.of(previewed, caller.readable()));
  }

  /** A dry run reports everything that it found; a real import is refused like any request. */
  private static KueueImported refused(
      KueuePlan plan, List<KueuePlan.Refused> refused, boolean dryRun) {
    if (!dryRun) {
      throw new RefusedException(refused.stream().map(KueueAnswers::violation).toList());
    }
    return KueueAnswers.refused(plan, refused);
  }

  /** The quota objects as manifests for Kueue, and the owners of the jobs that have not ended. */
  @Operation(
      operationId = "exportKueue",
      summary = "Returns the quota objects as manifests for Kueue")
  @GET
  @Path("/export")
  @RolesAllowed(Right.ADMINISTERS)
  public KueueExported give() {
    return KueueAnswers.given(exports.read());
  }
}
