// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The tour of the README, typed line by line into a shell. */
class ReadmeIT {
  @Test
  void theTourDoesWhatTheReadmeSays() throws Exception {
    ConsolePage tour = ConsolePage.read(Checkout.root().resolve("README.md"), "## Five minutes");
    assertThat(tour.lines()).hasSizeGreaterThan(10);
    PageShell.run(tour);
  }
}
