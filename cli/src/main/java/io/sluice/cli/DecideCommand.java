// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.output.Terminal;
import io.sluice.simulator.conformance.CaseQuestions;
import io.sluice.simulator.conformance.CaseRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Answers conformance cases with the engine's classes. */
@Command(
    name = "decide",
    description = {
      "Answers the conformance cases of a folder with the engine, without a server.",
      "A case is a file <suite>/<case>.json; its answer is written to the same path below --out. If"
          + " a case cannot be run, its answer is an error with the reason, and the others continue."
    },
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class DecideCommand implements Callable<Integer> {
  @Option(
      names = "--cases",
      required = true,
      paramLabel = "DIR",
      description = "Folder with one subfolder per suite of cases.")
  Path cases;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Folder for the answers; created if it does not exist.")
  Path out;

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      defaultValue = "cycle",
      converter = RuleConverter.class,
      description =
          "How to answer a cycle of a scheduling case. cycle: one isolated cycle under "
              + "Kueue's rules; cycles: isolated cycles until one decides nothing more; round: "
              + "a round as on a server with the default policy. Default: ${DEFAULT-VALUE}.")
  CaseRule rule;

  /** Reads the rule from its word. */
  static final class RuleConverter implements ITypeConverter<CaseRule> {
    @Override
    public CaseRule convert(String word) {
      for (CaseRule rule : CaseRule.values()) {
        if (rule.word().equals(word)) {
          return rule;
        }
      }
      throw new TypeConversionException(
          "unknown rule \"" + word + "\": one of cycle, cycles, round");
    }
  }

  @Override
  public Integer call() {
    List<Path> files = files();
    if (files.isEmpty()) {
      throw new ClientException("there are no cases in " + cases);
    }
    Terminal terminal = Terminal.standard();
    CaseQuestions questions = new CaseQuestions(rule);
    int answered = 0;
    int refused = 0;
    for (Path file : files) {
      Path place = cases.relativize(file);
      progress(terminal, (answered + refused) + " of " + files.size() + "  " + place);
      try {
        switch (questions.answer(file, out.resolve(place))) {
          case ANSWERED -> answered++;
          case REFUSED -> refused++;
        }
      } catch (IOException failed) {
        throw new ClientException("cannot write the answer to " + place + ": " + failed);
      }
    }
    progress(terminal, "");
    terminal.print(
        "%d cases: %d answered, %d that could not be run"
            .formatted(files.size(), answered, refused));
    return 0;
  }

  /** Shows progress on an interactive terminal, apart from the output. */
  private static void progress(Terminal terminal, String line) {
    if (terminal.interactive()) {
      System.err.print("\r\u001b[0K" + line);
    }
  }

  /** Returns the files of the suites, in order; files beside the suites are not cases. */
  private List<Path> files() {
    if (!Files.isDirectory(cases)) {
      throw new ClientException("there is no folder " + cases);
    }
    try (Stream<Path> walk = Files.walk(cases)) {
      return walk.filter(file -> file.toString().endsWith(".json"))
          .filter(file -> cases.relativize(file).getNameCount() > 1)
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException unreadable) {
      throw new ClientException("cannot read " + cases + ": " + unreadable.getMessage());
    }
  }
}
