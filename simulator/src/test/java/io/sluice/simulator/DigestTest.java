// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DigestTest {
  private static final long SEED = 17;

  /** What another Java prints: the digest of one run. */
  static final class OneRun {
    private OneRun() {}

    public static void main(String[] arguments) {
      System.out.print(Simulation.run(RandomUsers.setup(), SEED).digest());
    }
  }

  @Test
  void theSameSeedGivesTheSameRunToTheLastMoment() {
    SimulationResult once = Simulation.run(RandomUsers.setup(), SEED);
    SimulationResult again = Simulation.run(RandomUsers.setup(), SEED);
    assertThat(again).isEqualTo(once);
    assertThat(once.timeline()).hasSizeGreaterThan(100);
  }

  @Test
  void anotherSeedGivesAnotherJournal() {
    assertThat(Simulation.run(RandomUsers.setup(), SEED + 1).digest())
        .isNotEqualTo(Simulation.run(RandomUsers.setup(), SEED).digest());
  }

  /** Sets made by {@code Set.of} have another order in each Java that is started. */
  @Test
  void theSameSeedGivesTheSameJournalInAnotherJava() throws IOException, InterruptedException {
    Process other =
        new ProcessBuilder(
                List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-cp",
                    System.getProperty("java.class.path"),
                    OneRun.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String digest = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).isZero();
    assertThat(digest).isEqualTo(Simulation.run(RandomUsers.setup(), SEED).digest());
  }
}
