// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Characters that PostgreSQL does not store, written by real processes. */
class PoisonReportIT {
  /** Writes NUL into each file that is read of a job. */
  private static final String POISON =
      "printf \"a\\\\0\" > $SLUICE_OUTPUT_FILE; printf \"b\\\\0\" > $SLUICE_CHECKPOINT_FILE;"
          + " printf \"c\\\\0\" > $SLUICE_PROGRESS_FILE";

  @Test
  void aJobThatWritesNulEndsAndSoDoOthersAlsoAfterARestart() throws Exception {
    try (ServerHome home = ServerHome.of(OneServer.FLEET)) {
      try (StartedServer server = home.start()) {
        Caller caller = server.caller();
        caller.post("/v1/apply", OneServer.QUOTA).is(200);
        String poison = caller.submit(OneServer.job("poison", 1, POISON));
        String other = caller.submit(OneServer.job("other", 1, "true"));
        caller.awaitState(poison, "SUCCEEDED");
        caller.awaitState(other, "SUCCEEDED");
        assertThat(caller.get("/q/health/ready").is(200).text()).contains("writers running");
      }
      try (StartedServer server = home.start()) {
        Caller caller = server.caller();
        String poison = caller.submit(OneServer.job("poison-again", 1, POISON + "; exit 3"));
        String later = caller.submit(OneServer.job("later", 1, "true"));
        caller.awaitState(poison, "FAILED");
        caller.awaitState(later, "SUCCEEDED");
      }
    }
  }
}
