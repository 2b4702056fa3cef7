// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.options.Inputs;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.PreviewPage;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.preview.ApplyAnswer;
import io.sluice.restmodel.preview.ApplyResult;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Creates or changes quota objects and pipelines, and submits jobs from manifests. */
@Command(
    name = "apply",
    description =
        "Creates or changes quota objects and pipelines, and submits jobs, from "
            + "manifests in one transaction.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class ApplyCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-f", "--filename"},
      required = true,
      paramLabel = "FILE",
      description =
          "Manifest file (YAML or JSON), folder, or - for standard input; at most 8 MiB "
              + "in total. Repeatable.")
  List<String> files;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description =
          "Idempotency key, at most 200 characters. A repeated apply with the same key "
              + "submits the jobs once.")
  @Nullable String key;

  @Option(
      names = "--dry-run",
      description =
          "Check everything and change nothing. Shows which jobs would gain, wait or be "
              + "evicted, and which queues would be over quota.")
  boolean dryRun;

  @Override
  public Integer call() {
    String path = dryRun ? "/v1/apply?dryRun=true" : "/v1/apply";
    ApplyAnswer answer =
        server.client().postIdempotent(path, Inputs.read(files), key, ApplyAnswer.class);
    if (dryRun) {
      new PreviewPage(Terminal.standard()).print(answer);
      return 0;
    }
    for (ApplyResult result : answer.results()) {
      System.out.println(
          result.kind().toLowerCase(Locale.ROOT)
              + "/"
              + (result.namespace() == null ? "" : result.namespace() + "/")
              + result.name()
              + " "
              + result.result()
              + (result.id() == null ? "" : " (" + result.id() + ")"));
    }
    List<String> warnings = answer.warnings();
    if (warnings != null) {
      warnings.forEach(warning -> System.err.println("sluice: warning: " + warning));
    }
    return 0;
  }
}
