// SPDX-License-Identifier: Apache-2.0
package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The types of all scripts, by TypeScript, and the unit tests of those that need no browser. */
class ScriptsTest {
  private static final Path TESTS = Path.of("src/test/node");
  private static final String COMPILER = "META-INF/resources/webjars/typescript/";

  @Test
  void typesAreRight(@TempDir Path folder) throws Exception {
    Path compiler = unpackCompiler(folder);
    NodeProgram.Ended ended =
        NodeProgram.run(List.of(compiler.toString(), "--project", "tsconfig.json"));
    assertThat(ended.code()).as(ended.text()).isZero();
  }

  @Test
  void aWrongTypeIsFound(@TempDir Path folder) throws Exception {
    Path compiler = unpackCompiler(folder);
    Path wrong =
        Files.writeString(
            folder.resolve("wrong.js"), "/** @type {number} */ export const one = 'text';\n");
    NodeProgram.Ended ended =
        NodeProgram.run(
            List.of(
                compiler.toString(),
                "--ignoreConfig",
                "--allowJs",
                "--checkJs",
                "--noEmit",
                "--strict",
                wrong.toString()));
    assertThat(ended.code()).as(ended.text()).isNotZero();
    assertThat(ended.text()).contains("TS2322");
  }

  /** Copies the folder of the compiler out of its JAR; returns the script that runs it. */
  private static Path unpackCompiler(Path folder) throws Exception {
    URL found = Objects.requireNonNull(ScriptsTest.class.getResource("/" + COMPILER));
    String jar = found.toString().replaceFirst("!/.*", "");
    try (FileSystem files = FileSystems.newFileSystem(URI.create(jar), Map.of())) {
      Path root = files.getPath(COMPILER);
      Path version = only(root);
      Path lib = version.resolve("lib");
      try (Stream<Path> sources = Files.list(lib)) {
        for (Path source : sources.filter(Files::isRegularFile).toList()) {
          try (InputStream in = Files.newInputStream(source)) {
            Files.copy(in, folder.resolve(source.getFileName().toString()));
          }
        }
      }
      Files.writeString(folder.resolve("package.json"), "{\"type\": \"commonjs\"}");
    }
    return folder.resolve("tsc.js");
  }

  private static Path only(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findFirst().orElseThrow();
    }
  }

  @TestFactory
  List<DynamicTest> testsOfScriptsPass() throws IOException {
    try (Stream<Path> tests = Files.list(TESTS)) {
      List<Path> found =
          tests.filter(file -> file.toString().endsWith(".test.js")).sorted().toList();
      assertThat(found).isNotEmpty();
      return found.stream()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> pass(file)))
          .toList();
    }
  }

  private static void pass(Path test) throws Exception {
    NodeProgram.Ended ended =
        NodeProgram.run(List.of("--test", "--test-reporter=tap", test.toString()));
    assertThat(ended.code()).as(ended.text()).isZero();
    assertThat(ended.text()).containsPattern("# pass [1-9]").contains("# fail 0");
  }
}
