// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The Chromium or Chrome that is installed on this machine. */
final class SystemBrowser {
  /** Names the program; unset or empty: the usual places are searched. */
  static final String VARIABLE = "SLUICE_TEST_BROWSER";

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private static final List<Path> USUAL =
      List.of(
          Path.of("/snap/bin/chromium"),
          Path.of("/Applications/Chromium.app/Contents/MacOS/Chromium"),
          Path.of("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"));

  private SystemBrowser() {}

  /** Returns the program; empty if there is none. */
  static Optional<Path> program() {
    String named = System.getenv().getOrDefault(VARIABLE, "");
    Stream<Path> candidates =
        named.isEmpty() ? Stream.concat(onPath(), USUAL.stream()) : Stream.of(Path.of(named));
    return candidates.filter(SystemBrowser::isProgram).findFirst();
  }

  /** Returns the reason why {@link #program} is empty. */
  static String reason() {
    String named = System.getenv().getOrDefault(VARIABLE, "");
    return named.isEmpty()
        ? "no browser found: install Chromium, or name one with " + VARIABLE
        : VARIABLE + " names no program: " + named;
  }

  private static Stream<Path> onPath() {
    List<String> directories =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1));
    return NAMES.stream()
        .flatMap(name -> directories.stream().map(directory -> Path.of(directory, name)));
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
