// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains a field of a manifest or of an answer. */
@Command(
    name = "explain-field",
    description =
        "Explains a field of a manifest or of an answer: its type and bounds, its default, its"
            + " meaning and the fields inside it. No server is asked.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "  sluice explain-field job.spec.accelerator",
      "  sluice explain-field clusterqueue --recursive",
      "  sluice explain-field job.status.state",
      "Kinds may be in any case, plural or short, as of get. [] of lists may be omitted."
    })
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class ExplainFieldCommand implements Callable<Integer> {
  private static final String TEXT = "text";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = TEXT,
      description =
          "Output format: text, " + OutputForm.OF_OBJECTS + ". Default: ${DEFAULT-VALUE}.")
  String output;

  @Option(names = "--recursive", description = "Show all fields inside it, as a tree.")
  boolean recursive;

  @Option(
      names = "--complete",
      hidden = true,
      description = "Print the paths that continue PATH, for completion scripts.")
  boolean complete;

  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      description = "A kind, or a field such as job.spec.queue. Default: list the kinds.")
  @Nullable String path;

  @Override
  public Integer call() {
    FieldCatalogue catalogue = FieldCatalogue.read();
    Terminal terminal = Terminal.standard();
    if (complete) {
      terminal.print(continuations(catalogue, path == null ? "" : path));
      return ExitCode.OK;
    }
    OutputForm form = OutputForm.parse(output, TEXT);
    if (path == null) {
      if (recursive) {
        throw new WrongUsageException("--recursive needs a kind or a field");
      }
      terminal.print(
          form.is(TEXT)
              ? FieldPage.kinds(catalogue.kinds())
              : form.list(FieldData.kinds(catalogue.kinds())));
      return ExitCode.OK;
    }
    FoundField found = FoundField.find(catalogue, path);
    terminal.print(
        form.is(TEXT)
            ? FieldPage.of(found, recursive)
            : form.object(FieldData.of(found, recursive)));
    return ExitCode.OK;
  }

  /**
   * Returns the kinds, or with a dot in the path the fields beside the last one. Labels and
   * annotations are left out, as shells give brackets a meaning.
   */
  static List<String> continuations(FieldCatalogue catalogue, String path) {
    int dot = path.lastIndexOf('.');
    if (dot < 0) {
      return catalogue.kinds().stream().map(kind -> kind.name().toLowerCase(Locale.ROOT)).toList();
    }
    String above = path.substring(0, dot);
    Stream<ExplainedField> fields;
    try {
      fields = FoundField.find(catalogue, above).field().fields().stream();
    } catch (WrongUsageException unknown) {
      return List.of();
    }
    return fields
        .map(ExplainedField::name)
        .filter(name -> name.indexOf('/') < 0)
        .map(name -> above + "." + name)
        .toList();
  }
}
