// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import io.sluice.restmodel.Page;
import io.sluice.restmodel.administration.AuditRecord;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.AuditRepository;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.SharedTransactions;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The audit over REST. */
@Tag(name = "Audit")
@Path("/v1/audit")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.AUDITS)
@Blocking
class AuditResource {
  private final SharedTransactions transactions;
  private final AuditRepository audit;

  AuditResource(SharedTransactions transactions, AuditRepository audit) {
    this.transactions = transactions;
    this.audit = audit;
  }

  /** Audit records, the newest first. */
  @Operation(operationId = "listAudit", summary = "Lists who changed what, newest first")
  @GET
  public Page<AuditRecord> list(
      @QueryParam("caller") @Nullable String caller,
      @QueryParam("kind") @Nullable String kind,
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("name") @Nullable String name,
      @QueryParam("since") @Nullable String since,
      @QueryParam("until") @Nullable String until,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    long before = Pages.readNumber(cursor);
    AuditRepository.Filter filter =
        new AuditRepository.Filter(caller, kind, namespace, name, Parameters.times(since, until));
    List<AuditRepository.Stored> found =
        transactions.run("cannot read the audit", () -> audit.list(filter, before, limit + 1));
    return Pages.of(found, limit, AuditResource::answer, last -> Pages.writeNumber(last.id()));
  }

  private static AuditRecord answer(AuditRepository.Stored entry) {
    return new AuditRecord(
        entry.at(),
        entry.caller(),
        entry.role(),
        entry.action(),
        entry.kind(),
        Texts.unlessEmpty(entry.namespace()),
        entry.name(),
        entry.job() == null ? null : entry.job().toString(),
        entry.detail().isEmpty() ? null : JournalJson.fields(entry.detail()));
  }
}
