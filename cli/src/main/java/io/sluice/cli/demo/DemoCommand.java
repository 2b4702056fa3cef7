// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.UnreachableException;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the demonstration on a new server. */
@Command(
    name = "demo",
    description = {
      "Demonstrates Sluice on this machine in about a minute and a half. An elastic job loses",
      "one of two Spot slices, continues with the other, and grows again. Two teams share",
      "four TPU slices: a low-priority sweep fills them, and a training job of two slices",
      "preempts half of it. A third job loses its Spot slice, walks down its ladder to the",
      "reservation, and gets quota there by a previewed edit. Then the server is killed, and",
      "the job survives it. Exit code 0 if every step had the expected result."
    },
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Keep all data in DIR. The same command then continues an interrupted "
              + "demonstration. Default: a temporary directory, deleted at the end.")
  @Nullable Path data;

  @Option(
      names = "--pipeline",
      description =
          "Show a pipeline instead: examples/nightly-training.yaml, with a server that "
              + "is killed during the run. Takes about half a minute.")
  boolean pipeline;

  @Option(
      names = "--teams",
      description =
          "Show teams instead: an administrator of a team divides its quota, and is refused "
              + "more. On a simulated fleet; takes some seconds.")
  boolean teams;

  @Option(
      names = "--keep",
      description =
          "Keep the server running at the end, for a look with ./sluice open, until you press"
              + " Enter.")
  boolean keep;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (pipeline && teams) {
      throw new WrongUsageException("--pipeline and --teams show different things: choose one");
    }
    Terminal terminal = Terminal.standard();
    Path given = data;
    Path directory = given == null ? Files.createTempDirectory("sluice-demo") : given;
    try (DemoServer server = start(directory, terminal)) {
      boolean succeeded = tell(server, terminal);
      if (keep) {
        terminal.print("");
        terminal.print("The server goes on. Its console, in your browser:");
        terminal.print("  ./sluice open --data " + directory.toAbsolutePath().normalize());
        terminal.print("Press Enter to end the server.");
        server.awaitUser();
      }
      return succeeded ? 0 : 1;
    } catch (UnreachableException gone) {
      String again =
          given == null ? "" : " The same command goes on from here: sluice demo --data " + given;
      throw new ClientException("the server is gone." + again);
    } finally {
      if (given == null) {
        delete(directory);
      }
    }
  }

  private DemoServer start(Path directory, Terminal terminal)
      throws IOException, InterruptedException {
    if (pipeline) {
      return DemoServer.start(directory, terminal, DemoServer.example("nightly-fleet.yaml"));
    }
    return teams
        ? DemoServer.start(directory, terminal, DemoServer.resource("teams-fleet.yaml"))
        : DemoServer.start(directory, terminal);
  }

  private boolean tell(DemoServer server, Terminal terminal)
      throws IOException, InterruptedException {
    if (pipeline) {
      return new PipelineStory(server, terminal).tell();
    }
    return teams ? new TeamsStory(server, terminal).tell() : new DemoStory(server, terminal).tell();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
