// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.UnreachableException;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.restmodel.administration.ServerState;
import io.sluice.restmodel.fleet.FleetOverview;
import io.sluice.restmodel.job.JobCounts;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The server that a load is submitted to.
 *
 * @param data data directory on this machine; null: the server was given by its URL
 * @param own the server if this command started it; null: it was given
 */
record TargetServer(ServerClient client, @Nullable Path data, @Nullable OwnServer own) {
  private static final String SIMULATED = "simulated";

  /**
   * Checks that a given server may get the load.
   *
   * @param remote whether it may be on another machine
   * @throws WrongUsageException if it is on another machine
   * @throws ClientException if it would run the jobs for real, or has jobs in the namespace of the
   *     load
   * @throws UnreachableException if no server answers
   */
  void check(Load load, boolean remote) {
    URI url = client.server();
    if (!remote && !isLoopback(url.getHost())) {
      throw new WrongUsageException(
          "%s is not on this machine, and the load would burden it: add --remote if you mean it"
              .formatted(url));
    }
    FleetOverview fleet = client.get("/v1/fleet?limit=1", FleetOverview.class);
    if (!fleet.executor().equals(SIMULATED)) {
      throw new ClientException(
          "the server at %s has the executor %s, which would run the jobs; use a server whose fleet"
                  .formatted(url, fleet.executor())
              + " has executor: simulated");
    }
    String path = "/v1/jobs/counts?namespace=" + ServerClient.encode(load.namespace());
    long jobs = client.get(path, JobCounts.class).total();
    if (jobs > 0) {
      throw new ClientException(
          "the namespace %s of the server at %s has %d jobs already; give the load another name"
              .formatted(load.namespace(), url, jobs));
    }
  }

  /** Whether a host is this machine by all its addresses. */
  static boolean isLoopback(@Nullable String host) {
    try {
      return host != null
          && Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  ServerState state() {
    return client.get("/v1/server", ServerState.class);
  }

  /** Returns why an own server has ended; null: it runs, or it was given. */
  @Nullable String endOfOwn() throws InterruptedException {
    return own == null ? null : own.endReason();
  }
}
