// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
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
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The audit over REST. */
@Path("/v1/audit")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.ADMINS)
@Blocking
class AuditResource {
  private final SharedTransactions transactions;
  private final AuditRepository audit;

  AuditResource(SharedTransactions transactions, AuditRepository audit) {
    this.transactions = transactions;
    this.audit = audit;
  }

  /** Audit records, the newest first. */
  @GET
  public Response list(
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
        new AuditRepository.Filter(
            caller, kind, namespace, name, Parameters.times(since, until));
    List<AuditRepository.Stored> found =
        transactions.run("cannot read the audit", () -> audit.list(filter, before, limit + 1));
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    found.stream().limit(limit).forEach(entry -> items.add(json(entry)));
    if (found.size() > limit) {
      json.put("nextCursor", Pages.writeNumber(found.get(limit - 1).id()));
    }
    return Response.ok(json).build();
  }

  private static ObjectNode json(AuditRepository.Stored entry) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("at", entry.at().toString());
    json.put("caller", entry.caller());
    json.put("role", entry.role());
    json.put("action", entry.action());
    json.put("kind", entry.kind());
    if (!entry.namespace().isEmpty()) {
      json.put("namespace", entry.namespace());
    }
    json.put("name", entry.name());
    if (entry.job() != null) {
      json.put("job", entry.job().toString());
    }
    if (!entry.detail().isEmpty()) {
      json.set("detail", entry.detail());
    }
    return json;
  }
}
