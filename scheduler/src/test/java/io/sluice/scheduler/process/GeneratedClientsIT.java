// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that are generated from the server's OpenAPI document compile. A program on each of them
 * submits a job, follows its events until it runs, cancels it, and sees its end.
 */
@Tag("long")
class GeneratedClientsIT {
  /** The long profile copies it there. */
  private static final Path GENERATOR =
      Path.of("target", "client-generator", "openapi-generator-cli.jar").toAbsolutePath();

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Path PROGRAMS = Path.of("src", "test").toAbsolutePath();

  private static OneServer server;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static Path document(Path scratch) throws Exception {
    String text = server.caller().as("").get("/openapi").is(200).text();
    return Files.writeString(scratch.resolve("openapi.yaml"), text);
  }

  private static Map<String, String> address() throws IOException {
    return Map.of(
        "SLUICE_SERVER",
        server.caller().url(),
        "SLUICE_TOKEN",
        Files.readString(server.data().resolve("token")).strip());
  }

  private static void assertCancelled(String printedId) throws Exception {
    String id = printedId.strip();
    assertThat(server.caller().get("/v1/jobs/" + id).is(200).at("/status/state"))
        .isEqualTo("CANCELLED");
  }

  @Test
  void ofOpenApiGeneratorInGo(@TempDir Path scratch) throws Exception {
    assumeTrue(Files.exists(GENERATOR), GENERATOR + " is missing; the profile long copies it");
    assumeTrue(isInPath("go"), "go is not in the PATH");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    CheckedProgram.run(
        scratch,
        Map.of(),
        scratch,
        PATIENCE,
        List.of(
            java.toString(),
            "-jar",
            GENERATOR.toString(),
            "generate",
            "--generator-name",
            "go",
            "--input-spec",
            document(scratch).toString(),
            "--output",
            scratch.resolve("sluice").toString(),
            "--package-name",
            "sluice",
            "--additional-properties",
            "withGoMod=false,disallowAdditionalPropertiesIfNotPresent=false",
            "--global-property",
            "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"));
    Files.copy(PROGRAMS.resolve("go").resolve("main.go"), scratch.resolve("main.go"));
    Files.writeString(scratch.resolve("go.mod"), "module example\n\ngo 1.20\n");
    // The client needs the standard library alone, so nothing is downloaded.
    Map<String, String> offline = Map.of("GOPROXY", "off", "GOTOOLCHAIN", "local");
    CheckedProgram.run(
        scratch, offline, scratch, PATIENCE, List.of("go", "build", "-o", "program", "."));
    Path program = scratch.resolve("program");
    assertCancelled(
        CheckedProgram.run(scratch, address(), scratch, PATIENCE, List.of(program.toString())));
  }

  @Test
  @NeedsPython("openapi_python_client")
  void ofOpenApiPythonClient(@TempDir Path scratch) throws Exception {
    PythonModules python =
        new PythonModules(
            scratch,
            Map.of("PYTHONPATH", PROGRAMS.resolve("python") + File.pathSeparator + scratch));
    String client = "generated_sluice";
    String printed =
        python.run(
            scratch,
            Map.of(),
            "openapi_python_client",
            "generate",
            "--path",
            document(scratch).toString(),
            "--output-path",
            client,
            "--meta",
            "none");
    assertThat(printed).doesNotContain("will not be generated");
    python.run(scratch, Map.of(), "compileall", "-q", client);
    assertCancelled(python.run(scratch, address(), "generated_client"));
  }

  private static boolean isInPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }
}
