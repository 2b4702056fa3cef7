// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tour of the README, typed line by line into a shell. */
class ReadmeIT {
  private static final Path TOUR = Path.of("/tmp/sluice-tour");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DONE = "::done";
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
  private static final Pattern AGE = Pattern.compile("\\b\\d+s\\b");
  private static final Pattern SPACES = Pattern.compile(" {2,}");

  /** A command of the README, and what it prints there. */
  private record Line(String command, List<String> output) {}

  private final BlockingQueue<String> printed = new LinkedBlockingQueue<>();

  @BeforeEach
  @AfterEach
  void clean() {
    Checkout.delete(TOUR);
  }

  @Test
  void theTourDoesWhatTheReadmeSays() throws Exception {
    List<Line> lines = tour();
    assertThat(lines).hasSizeGreaterThan(10);
    Process shell = Checkout.process("bash").redirectErrorStream(true).start();
    Thread reader = new Thread(() -> read(shell), "shell-output");
    reader.start();
    try (BufferedWriter typed = shell.outputWriter(StandardCharsets.UTF_8)) {
      for (Line line : lines) {
        check(line, typed);
      }
      type(typed, "wait");
    } finally {
      // Once the shell is gone nobody knows what it began, such as a server that goes on printing.
      List<ProcessHandle> begun = shell.descendants().toList();
      shell.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      begun.forEach(ProcessHandle::destroy);
      shell.destroyForcibly();
      reader.join();
    }
  }

  private static List<Line> tour() throws IOException {
    List<Line> lines = new ArrayList<>();
    boolean inTour = false;
    boolean inBlock = false;
    for (String text : Files.readAllLines(Checkout.root().resolve("README.md"))) {
      if (text.startsWith("## ")) {
        inTour = text.equals("## Five minutes");
      } else if (inTour && text.startsWith("```")) {
        inBlock = text.equals("```console");
      } else if (inTour && inBlock && text.startsWith("$ ")) {
        lines.add(new Line(text.substring(2), new ArrayList<>()));
      } else if (inTour && inBlock) {
        lines.get(lines.size() - 1).output().add(text);
      }
    }
    return lines;
  }

  /** What only asks is asked again until the answer is that of the README. */
  private void check(Line line, BufferedWriter typed) throws Exception {
    List<String> wanted = line.output().stream().map(ReadmeIT::normal).toList();
    if (line.command().endsWith("&")) {
      typed.write(line.command() + "\n");
      typed.flush();
      for (String expected : wanted) {
        assertThat(normal(next())).isEqualTo(expected);
      }
      return;
    }
    boolean asks =
        List.of("get", "explain", "logs").stream()
            .anyMatch(verb -> line.command().startsWith("./sluice " + verb));
    Instant deadline = Instant.now().plus(Duration.ofSeconds(asks ? 20 : 0));
    List<String> found = type(typed, line.command());
    while (!found.equals(wanted) && Instant.now().isBefore(deadline)) {
      Thread.sleep(200);
      found = type(typed, line.command());
    }
    assertThat(found).as(line.command()).isEqualTo(wanted);
  }

  private List<String> type(BufferedWriter typed, String command)
      throws IOException, InterruptedException {
    typed.write(command + "\necho " + DONE + "\n");
    typed.flush();
    List<String> output = new ArrayList<>();
    for (String text = next(); !text.equals(DONE); text = next()) {
      output.add(normal(text));
    }
    return output;
  }

  private String next() throws InterruptedException {
    String text = printed.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(text).as("something printed within %s", PATIENCE).isNotNull();
    return String.valueOf(text);
  }

  private void read(Process shell) {
    try (BufferedReader output = shell.inputReader(StandardCharsets.UTF_8)) {
      for (String text = output.readLine(); text != null; text = output.readLine()) {
        printed.add(text);
      }
    } catch (IOException closed) {
      printed.add(String.valueOf(closed.getMessage()));
    }
  }

  /** Ids, times, ages and the widths of columns differ from run to run. */
  private static String normal(String text) {
    String normal = ID.matcher(text).replaceAll("ID");
    normal = TIME.matcher(normal).replaceAll("TIME");
    normal = AGE.matcher(normal).replaceAll("AGE");
    return SPACES.matcher(normal).replaceAll("  ").strip();
  }
}
