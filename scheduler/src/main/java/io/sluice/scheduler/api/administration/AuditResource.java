// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.administration.AuditRecord;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.AuditRepository;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The audit over REST. */
@Path("/v1/audit")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.ADMINS)
@Blocking
class AuditResource {
  private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

  private final SharedTransactions transactions;
  private final AuditRepository audit;
  private final ObjectMapper mapper;

  AuditResource(SharedTransactions transactions, AuditRepository audit, ObjectMapper mapper) {
    this.transactions = transactions;
    this.audit = audit;
    this.mapper = mapper;
  }

  /** Audit records, the newest first. */
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
    return Pages.of(found, limit, this::answer, last -> Pages.writeNumber(last.id()));
  }

  private AuditRecord answer(AuditRepository.Stored entry) {
    return new AuditRecord(
        entry.at(),
        entry.caller(),
        entry.role(),
        entry.action(),
        entry.kind(),
        Texts.unlessEmpty(entry.namespace()),
        entry.name(),
        entry.job() == null ? null : entry.job().toString(),
        entry.detail().isEmpty() ? null : mapper.convertValue(entry.detail(), MAP));
  }
}
