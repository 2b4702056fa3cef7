// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The checkout that is being tested, as built, and processes in it. */
public final class Checkout {
  private Checkout() {}

  public static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("sluice")) ? here : here.resolveSibling("").normalize();
  }

  /** A command in the checkout, which does not build anything. */
  static ProcessBuilder process(String... command) {
    ProcessBuilder builder = new ProcessBuilder(List.of(command));
    builder.directory(root().toFile());
    builder.environment().put("SLUICE_NO_BUILD", "1");
    // A server of a test lives for seconds: compiling it for speed costs more than it gains.
    builder
        .environment()
        .put("SLUICE_SERVER_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    return builder;
  }

  static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
