// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Role;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** The server itself. */
@Path("/v1/server")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.VIEWERS)
public class ServerResource {
  private final CommittedView view;
  private final String version;

  ServerResource(CommittedView view, ServerSettings settings) {
    this.view = view;
    this.version = settings.version();
  }

  /** That it answers, its version, and how far its view has come. */
  @GET
  public ObjectNode server() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("version", version);
    json.put("pid", ProcessHandle.current().pid());
    json.put("sequence", view.ask(state -> 0).sequence());
    return json;
  }
}
