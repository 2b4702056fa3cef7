// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.restmodel.administration.NamedObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that name one job. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class JobOptions {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the job. Default: all namespaces.")
  @Nullable String namespace;

  @Parameters(index = "0", paramLabel = "JOB", description = NameLookup.JOB_FORMS)
  String job;

  /** Finds the job, as {@link NameLookup#find} does. */
  NamedObject find(ServerClient client, NameLookup.Purpose purpose) {
    return new NameLookup(client, namespace).find(NamedKind.JOB, job, purpose);
  }
}
