// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.LifeState;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import io.sluice.restmodel.administration.NamedObject;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command that sends the same request for several jobs, one after another; it skips jobs that
 * have ended.
 */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
abstract class JobsCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the jobs. Default: all in which you may act.")
  @Nullable String namespace;

  @Parameters(paramLabel = "JOB", arity = "1..*", description = NameLookup.JOB_FORMS)
  List<String> jobs;

  /** Returns the path below a job to post to, with its query. */
  abstract String wish();

  /** Returns the participle that the output has after "is being". */
  abstract String doing();

  @Override
  public Integer call() {
    ServerClient client = server.client();
    NameLookup names = new NameLookup(client, namespace);
    for (String job : jobs) {
      NamedObject found = names.find(NamedKind.JOB, job, NameLookup.Purpose.CHANGE);
      String state = NameLookup.state(found);
      if (LifeState.live(state)) {
        client.post("/v1/jobs/" + NameLookup.id(found) + "/" + wish());
        System.out.println("job/" + found.name() + " is being " + doing());
      } else {
        System.out.println("job/" + found.name() + " has ended: " + state);
      }
    }
    return 0;
  }
}
