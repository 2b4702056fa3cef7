// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The output: a terminal with colours and redrawing, or a file without. */
public final class Terminal {
  private static final String CLEAR_TO_END = "\u001b[0J";

  /** A longer line would wrap on common terminals, and could not be replaced. */
  private static final int STATUS_LENGTH_MAX = 79;

  private static final int WIDTH_OF_FILES = 100;

  private final PrintStream out;
  private final boolean interactive;
  private int drawnLines;

  private Terminal(PrintStream out, boolean interactive) {
    this.out = out;
    this.interactive = interactive;
  }

  /** Returns standard output; the script that starts the JVM says whether it is a terminal. */
  public static Terminal standard() {
    return new Terminal(
        new PrintStream(System.out, true, StandardCharsets.UTF_8),
        Boolean.getBoolean("sluice.terminal") && System.getenv("NO_COLOR") == null);
  }

  /** Whether it is an interactive terminal, which can be redrawn. */
  public boolean interactive() {
    return interactive;
  }

  /** Returns the width in characters; {@value #WIDTH_OF_FILES} if it is not known. */
  public int width() {
    String columns = System.getenv("COLUMNS");
    Integer said = columns == null ? null : number(columns);
    if (said == null && interactive) {
      said = ofTerminal();
    }
    return said == null ? WIDTH_OF_FILES : said;
  }

  private static @Nullable Integer ofTerminal() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      String[] size =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .strip()
              .split(" ", -1);
      return size.length == 2 ? number(size[1]) : null;
    } catch (IOException unknown) {
      return null;
    }
  }

  private static @Nullable Integer number(String text) {
    try {
      int number = Integer.parseInt(text.strip());
      return number > 0 ? number : null;
    } catch (NumberFormatException none) {
      return null;
    }
  }

  public void print(String line) {
    out.println(line);
  }

  public void print(List<String> lines) {
    lines.forEach(out::println);
  }

  /** Draws lines over the last drawn ones; does nothing if not interactive. */
  public void redraw(List<String> lines) {
    if (interactive) {
      if (drawnLines > 0) {
        out.print("\u001b[" + drawnLines + "A\r" + CLEAR_TO_END);
      }
      print(lines);
      drawnLines = lines.size();
      out.flush();
    }
  }

  /**
   * Shows a line on standard error in place of the last one, apart from the output; an empty text
   * removes it. Does nothing if not interactive.
   */
  public void status(String line) {
    if (interactive) {
      boolean fits = line.length() <= STATUS_LENGTH_MAX;
      System.err.print(
          "\r\u001b[0K" + (fits ? line : line.substring(0, STATUS_LENGTH_MAX - 3) + "..."));
      System.err.flush();
    }
  }

  /** Keeps the drawn lines; the next ones are drawn below. */
  public void keepDrawn() {
    drawnLines = 0;
  }

  /** Returns text in a style; unchanged if not interactive. */
  public String styled(Style style, String text) {
    return interactive ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
  }

  /** Styles of text. */
  public enum Style {
    BOLD(1),
    DIM(2),
    RED(31),
    GREEN(32),
    YELLOW(33),
    MAGENTA(35);

    private final int code;

    Style(int code) {
      this.code = code;
    }
  }

  /** Returns the state of a job in its colour. */
  public String state(String state) {
    return switch (state) {
      case "RUNNING", "SUCCEEDED" -> styled(Style.GREEN, state);
      case "FAILED" -> styled(Style.RED, state);
      case "PENDING", "SUBMITTED" -> styled(Style.YELLOW, state);
      case "DRAINING" -> styled(Style.MAGENTA, state);
      default -> state;
    };
  }
}
