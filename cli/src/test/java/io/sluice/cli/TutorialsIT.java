// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tutorials that need no cluster, typed line by line into a shell. */
class TutorialsIT {
  @ParameterizedTest
  @ValueSource(strings = {"first-job.md", "first-team.md"})
  void theTutorialDoesWhatItSays(String name) throws Exception {
    ConsolePage page =
        ConsolePage.read(Checkout.root().resolve("docs").resolve("tutorials").resolve(name));
    assertThat(page.lines()).hasSizeGreaterThan(10);
    PageShell.run(page);
  }
}
