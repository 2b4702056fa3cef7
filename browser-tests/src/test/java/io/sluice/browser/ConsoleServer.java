// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import io.sluice.scheduler.process.Caller;
import io.sluice.scheduler.process.OneServer;
import io.sluice.scheduler.process.ServerHome;
import io.sluice.scheduler.process.StartedServer;
import java.sql.SQLException;
import java.util.List;

/** A server on which real jobs run, and its users: an owner, a submitter and a viewer. */
final class ConsoleServer implements AutoCloseable {
  private static final String PIPELINE =
      """
      apiVersion: sluice.io/v1
      kind: Pipeline
      metadata: {name: nightly, namespace: team}
      spec:
        parameters: [{name: steps, default: 2}]
        steps:
        - name: ingest
          job: {spec: {queue: main, requests: {cpu: 100m}, command: ["true"]}}
        - name: train
          dependsOn: [ingest]
          forEach: {range: {to: 3}}
          job: {spec: {queue: main, requests: {cpu: 100m}, command: ["true"]}}
      """;

  private final ServerHome home;
  private final StartedServer server;
  private final Caller owner;

  private ConsoleServer(ServerHome home, StartedServer server, Caller owner) {
    this.home = home;
    this.server = server;
    this.owner = owner;
  }

  static ConsoleServer start() throws Exception {
    ServerHome home = ServerHome.of(OneServer.FLEET);
    StartedServer server = home.start("--trust-callers");
    Caller owner = server.caller();
    owner.post("/v1/apply", OneServer.QUOTA).is(200);
    owner.post("/v1/apply", PIPELINE).is(200);
    return new ConsoleServer(home, server, owner);
  }

  String url() {
    return owner.url();
  }

  Caller owner() {
    return owner;
  }

  ServerHome home() {
    return home;
  }

  /** Creates a token of a role in namespace {@code team}. */
  String token(String name, String role) throws Exception {
    String body = "{\"name\":\"%s\",\"role\":\"%s\",\"namespaces\":[\"team\"]}";
    return owner.post("/v1/tokens", body.formatted(name, role)).is(201).at("/token");
  }

  /** Creates a token of an administrator. */
  String administratorsToken(String name) throws Exception {
    String body = "{\"name\":\"%s\",\"role\":\"admin\"}";
    return owner.post("/v1/tokens", body.formatted(name)).is(201).at("/token");
  }

  /** Submits a job that runs a shell command; returns its id. */
  String submit(String name, int cpu, String command) throws Exception {
    return owner.post("/v1/jobs", OneServer.job(name, cpu, command)).is(201).at("/id");
  }

  void awaitState(String id, String state) throws Exception {
    var unused = owner.await("/v1/jobs/" + id, reply -> reply.at("/status/state").equals(state));
  }

  /** Cancels all jobs that have not ended, and waits until they have. */
  void cancelAll() throws Exception {
    String live = "/v1/jobs?state=pending&state=admitted&state=running&state=draining";
    List<String> ids = owner.get(live).is(200).each("/items", "id");
    for (String id : ids) {
      owner.post("/v1/jobs/" + id + "/cancel", "");
    }
    var unused = owner.await(live, reply -> reply.json().at("/items").isEmpty());
  }

  @Override
  public void close() throws SQLException {
    server.close();
    home.close();
  }
}
