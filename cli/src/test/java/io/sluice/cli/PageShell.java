// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.ConsolePage.Line;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Types the commands of a page into a shell and compares what they print with the page. */
final class PageShell {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration QUERY_PATIENCE = Duration.ofSeconds(60);
  private static final String UP = "./sluice up ";
  private static final Pattern PORT = Pattern.compile("(127\\.0\\.0\\.1):\\d+");
  private static final String DONE = "::done";
  private static final List<String> QUERIES = List.of("get", "explain", "logs", "history", "audit");
  private static final Pattern ASKED = Pattern.compile("ask \"?\\$U/[^ ]*");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
  private static final Pattern AGE = Pattern.compile("\\b\\d+s\\b");
  private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
  private static final Pattern CLOCK = Pattern.compile("\\d\\d:\\d\\d \\(in [^)]*\\)");
  private static final Pattern EXPECTED = Pattern.compile("expected to start .*");
  private static final Pattern SLICES = Pattern.compile("\\bv6e-\\d+(, v6e-\\d+)+");
  private static final Pattern HOLDERS = Pattern.compile("\\bsweep\\[\\d](, sweep\\[\\d])+");
  private static final Pattern SPACES = Pattern.compile(" {2,}");

  private final BlockingQueue<String> printed = new LinkedBlockingQueue<>();

  private final boolean anyPort;

  private PageShell(boolean anyPort) {
    this.anyPort = anyPort;
  }

  /** Runs a page to its end, in a shell and a data directory of its own. */
  static void run(ConsolePage page) throws Exception {
    new PageShell(false).runAll(page);
  }

  /** As {@link #run}, with a server on any free port, so that pages can run side by side. */
  static void runOnAnyPort(ConsolePage page) throws Exception {
    new PageShell(true).runAll(page);
  }

  private void runAll(ConsolePage page) throws Exception {
    Checkout.delete(page.data());
    try {
      type(page.lines());
    } finally {
      Checkout.delete(page.data());
    }
  }

  private void type(List<Line> lines) throws Exception {
    Process shell = Checkout.process("bash").redirectErrorStream(true).start();
    Thread reader = new Thread(() -> read(shell), "shell-output");
    reader.start();
    List<ProcessHandle> begun = new ArrayList<>();
    try (BufferedWriter typed = shell.outputWriter(StandardCharsets.UTF_8)) {
      try {
        for (Line line : lines) {
          check(line, typed);
        }
        type(typed, "wait");
      } finally {
        // The shell's children, such as a server that goes on printing, outlive it. Nobody knows
        // them any more once its input is closed.
        shell.descendants().forEach(begun::add);
      }
    } finally {
      shell.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      begun.forEach(ProcessHandle::destroy);
      shell.destroyForcibly();
      reader.join();
    }
  }

  /** A query is repeated until its answer is that of the page; any other command runs once. */
  private void check(Line line, BufferedWriter typed) throws Exception {
    List<String> wanted = line.output().stream().map(PageShell::normal).toList();
    if (line.command().endsWith("&")) {
      typed.write((anyPort ? line.command().replace(UP, UP + "--port 0 ") : line.command()) + "\n");
      typed.flush();
      for (String expected : wanted) {
        String found = normal(next());
        assertThat(anyPort ? withoutPort(found) : found)
            .isEqualTo(anyPort ? withoutPort(expected) : expected);
      }
      return;
    }
    boolean query =
        ASKED.matcher(line.command()).matches()
            || QUERIES.stream()
                .anyMatch(verb -> line.command().startsWith("./sluice " + verb + " "));
    Instant deadline = Instant.now().plus(query ? QUERY_PATIENCE : Duration.ZERO);
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

  private static String withoutPort(String text) {
    return PORT.matcher(text).replaceAll("$1");
  }

  /**
   * Ids, times, ages, digests and the widths of columns differ from run to run. So do the victims:
   * the attempts that started last lose the least work. With them differ the slices that become
   * free, and the order of the admissions after them.
   */
  private static String normal(String text) {
    String normal = ID.matcher(text).replaceAll("ID");
    normal = TIME.matcher(normal).replaceAll("TIME");
    normal = AGE.matcher(normal).replaceAll("AGE");
    normal = DIGEST.matcher(normal).replaceAll("DIGEST");
    normal = CLOCK.matcher(normal).replaceAll("CLOCK");
    normal = EXPECTED.matcher(normal).replaceAll("expected to start");
    normal = SLICES.matcher(normal).replaceAll("SLICES");
    normal = HOLDERS.matcher(normal).replaceAll("HOLDERS");
    return SPACES.matcher(normal).replaceAll("  ").strip();
  }
}
