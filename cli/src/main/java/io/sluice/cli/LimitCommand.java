// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.LifeState;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import io.sluice.restmodel.administration.NamedObject;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives a job another time limit. */
@Command(
    name = "limit",
    description =
        "Gives a job another time limit. A longer one is refused if it would move planned starts of"
            + " other jobs.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class LimitCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the job. Default: all in which you may act.")
  @Nullable String namespace;

  @Option(
      names = "--override",
      description =
          "Accept that planned starts of other jobs move, and exceed the maximum of the queue. For"
              + " administrators.")
  boolean override;

  @Parameters(index = "0", paramLabel = "JOB", description = NameLookup.JOB_FORMS)
  String job;

  @Parameters(
      index = "1",
      paramLabel = "TIME",
      description = "The new time limit, such as 90s or 1h30m; none: no limit.")
  String timeLimit;

  @Override
  public Integer call() {
    ServerClient client = server.client();
    NamedObject found =
        new NameLookup(client, namespace).find(NamedKind.JOB, job, NameLookup.Purpose.CHANGE);
    String state = NameLookup.state(found);
    if (LifeState.live(state)) {
      client.post(
          "/v1/jobs/"
              + NameLookup.id(found)
              + "/limit?timeLimit="
              + ServerClient.encode(timeLimit)
              + (override ? "&override=true" : ""));
      System.out.println("job/" + found.name() + " is being given time limit " + timeLimit);
    } else {
      System.out.println("job/" + found.name() + " has ended: " + state);
    }
    return 0;
  }
}
