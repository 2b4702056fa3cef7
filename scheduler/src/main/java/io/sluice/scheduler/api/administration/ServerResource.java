// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.ServerRole;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.input.SetAsideInputs;
import io.sluice.scheduler.store.leadership.LeaderRow;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** The state of the server over REST. */
@Path("/v1/server")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.VIEWERS)
class ServerResource {
  private static final int SHOWN_MAX = 10;

  private final CommittedView view;
  private final ServerRole role;
  private final String version;

  ServerResource(CommittedView view, ServerRole role, ServerSettings settings) {
    this.view = view;
    this.role = role;
    this.version = settings.version();
  }

  /**
   * The version of the server, whether it leads or which server does, and the sequence of its view.
   * A leader whose lease is about to expire counts as a follower until it has renewed it. Inputs
   * that a leader leaves unconsumed are counted, and the oldest are named.
   */
  @GET
  public ObjectNode server() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("version", version);
    json.put("pid", ProcessHandle.current().pid());
    json.put("role", role.leads() ? "leader" : "follower");
    LeaderRow leader = role.leader();
    if (leader != null) {
      json.put("epoch", leader.epoch());
      json.put("leader", leader.url());
    }
    json.put("sequence", view.sequence());
    SetAsideInputs setAside = view.setAsideInputs();
    if (setAside.size() > 0) {
      json.put("inputsSetAside", setAside.size());
      ArrayNode oldest = json.putArray("oldestSetAside");
      for (SetAsideInputs.SetAsideInput input : setAside.oldest(SHOWN_MAX)) {
        oldest
            .addObject()
            .put("input", input.id())
            .put("kind", input.kind())
            .put("reason", input.reason());
      }
    }
    return json;
  }
}
