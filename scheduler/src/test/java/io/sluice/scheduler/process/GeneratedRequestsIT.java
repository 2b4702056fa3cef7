// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Schemathesis sends requests that it generates from the OpenAPI document, correct and faulty ones.
 * No answer is a fault of the server or one that the document does not have, and no refused request
 * stores anything.
 */
class GeneratedRequestsIT {
  private static final Path PROGRAMS = Path.of("src/test/python").toAbsolutePath();

  /** The same requests in each run; another seed finds others. */
  private static final String SEED = System.getProperty("fuzz.seed", "1");

  /** Of each operation, beside those that cover its schema; a longer run asks for more. */
  private static final String EXAMPLES = System.getProperty("fuzz.examples", "3");

  /** A run takes a minute on a quiet machine; more than ten were seen on one that was shared. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  @Test
  @NeedsPython("schemathesis")
  void theServerKeepsItsContract(@TempDir Path scratch) throws Exception {
    try (OneServer server = OneServer.start()) {
      String token = Files.readString(server.data().resolve("token")).strip();
      new PythonModules(
              scratch,
              Map.of(
                  "PYTHONPATH",
                  PROGRAMS.toString(),
                  "SCHEMATHESIS_HOOKS",
                  "contract_checks",
                  "SLUICE_SERVER",
                  server.caller().url(),
                  "SLUICE_TOKEN",
                  token),
              PATIENCE)
          .run(
              scratch,
              Map.of(),
              "schemathesis.cli",
              "run",
              server.caller().url() + "/openapi?format=json",
              "--header",
              "Authorization: Bearer " + token,
              "--phases",
              "examples,coverage,fuzzing",
              "--checks",
              "not_a_server_error,status_code_conformance,content_type_conformance,"
                  + "response_schema_conformance,refused_requests_store_nothing",
              "--max-examples",
              EXAMPLES,
              "--seed",
              SEED,
              "--generation-database",
              "none",
              "--request-timeout",
              "20",
              "--no-color");
    }
  }
}
