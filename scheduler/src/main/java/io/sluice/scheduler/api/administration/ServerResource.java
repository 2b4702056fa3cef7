// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import io.sluice.restmodel.administration.ServerState;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.ServerRole;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.input.SetAsideInputs;
import io.sluice.scheduler.store.leadership.LeaderRow;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The state of the server over REST. */
@Tag(name = "Server")
@Path("/v1/server")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
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
  @Operation(operationId = "getServer", summary = "Reads version, role and sequence of the server")
  @GET
  public ServerState server() {
    LeaderRow leader = role.leader();
    SetAsideInputs setAside = view.setAsideInputs();
    int count = setAside.size();
    return new ServerState(
        version,
        ProcessHandle.current().pid(),
        role.leads() ? "leader" : "follower",
        leader == null ? null : leader.epoch(),
        leader == null ? null : leader.url(),
        view.sequence(),
        count == 0 ? null : count,
        count == 0 ? null : oldest(setAside));
  }

  private static List<ServerState.InputSetAside> oldest(SetAsideInputs setAside) {
    return setAside.oldest(SHOWN_MAX).stream()
        .map(input -> new ServerState.InputSetAside(input.id(), input.kind(), input.reason()))
        .toList();
  }
}
