// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.LimitOption;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.watching.EventFeed;
import io.sluice.cli.watching.Reconnection;
import io.sluice.restmodel.fleet.FleetOverview;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the use of the fleet and of the queues. */
@Command(
    name = "top",
    description =
        "Shows the use of the fleet by slice type, and of the ClusterQueues, refreshed in place.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "It refreshes when something changes, at most once a second.",
      "Without a terminal, as in a pipe, it prints once."
    })
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class TopCommand implements Callable<Integer> {
  private static final int SLICES_MAX = 20_000;
  private static final int PAGE = 500;
  private static final Duration REFRESH_MIN = Duration.ofSeconds(1);

  @Mixin ServerOptions server;

  @Mixin LimitOption limit;

  @Option(names = "--once", description = "Print once and end.")
  boolean once;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "Longest time between refreshes if nothing changes, 1 to 3600. Default: "
              + "${DEFAULT-VALUE}.")
  int intervalSeconds;

  @Override
  public Integer call() throws InterruptedException {
    limit.check();
    if (intervalSeconds < 1 || intervalSeconds > 3600) {
      throw new WrongUsageException("--interval must be 1 to 3600, it is " + intervalSeconds);
    }
    ServerClient client = server.client();
    Terminal terminal = Terminal.standard();
    if (once || !terminal.interactive()) {
      terminal.print(lines(client, terminal));
      return ExitCode.OK;
    }
    Reconnection reconnection = new Reconnection(client);
    EventFeed feed = new EventFeed(client, reconnection, "");
    Duration idle = Duration.ofSeconds(intervalSeconds).minus(REFRESH_MIN);
    while (true) {
      // From before the page: a change while it is read refreshes it again.
      feed.fromNow();
      terminal.redraw(reconnection.read(() -> lines(client, terminal)));
      Thread.sleep(REFRESH_MIN.toMillis());
      if (!idle.isZero()) {
        feed.next(idle);
      }
    }
  }

  private List<String> lines(ServerClient client, Terminal terminal) {
    Listing slices = client.listing("/v1/slices?limit=" + PAGE, SLICES_MAX, slice -> true);
    Listing queues =
        client.listing("/v1/clusterqueues?limit=" + limit.page(), limit.most(), queue -> true);
    return new TopPage(terminal, Instant.now())
        .lines(client.get("/v1/fleet?limit=1", FleetOverview.class), slices, queues);
  }
}
