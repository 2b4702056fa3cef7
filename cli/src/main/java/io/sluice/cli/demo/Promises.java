// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import io.sluice.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;

/** The checks at the end of a story. */
final class Promises {
  private final List<String> kept = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();

  void check(boolean holds, String promise) {
    (holds ? kept : broken).add(promise);
  }

  /**
   * Prints all of them, and a last sentence.
   *
   * @param good the sentence if all were kept
   * @return whether all were kept
   */
  boolean print(Terminal terminal, String good, String bad) {
    terminal.print("");
    kept.forEach(line -> terminal.print("  kept    " + line));
    broken.forEach(line -> terminal.print("  BROKEN  " + line));
    terminal.print("");
    terminal.print(broken.isEmpty() ? good : bad);
    return broken.isEmpty();
  }
}
