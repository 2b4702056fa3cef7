// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The tutorials that need no cluster, typed line by line into shells, side by side. */
class TutorialsIT {
  private static final List<String> PAGES =
      List.of("first-job.md", "first-team.md", "tour-by-curl.md");

  @Test
  void theTutorialsDoWhatTheySay() throws Exception {
    Path folder = Checkout.root().resolve("docs").resolve("tutorials");
    ExecutorService shells = Executors.newFixedThreadPool(PAGES.size());
    try {
      List<Future<String>> runs = new ArrayList<>();
      for (String name : PAGES) {
        ConsolePage page = ConsolePage.read(folder.resolve(name));
        assertThat(page.lines()).as(name).hasSizeGreaterThan(10);
        runs.add(
            shells.submit(
                () -> {
                  PageShell.runOnAnyPort(page);
                  return name;
                }));
      }
      for (Future<String> run : runs) {
        assertThat(run.get()).isIn(PAGES);
      }
    } finally {
      shells.shutdownNow();
    }
  }

  /** The page needs the Python client, which nobody without Python has. */
  @Test
  void theTourInPythonDoesWhatItSays() throws Exception {
    String python = System.getenv("SLUICE_TEST_PYTHON");
    assumeThat(python).as("SLUICE_TEST_PYTHON names a Python with the client").isNotNull();
    ConsolePage page =
        ConsolePage.read(Checkout.root().resolve("docs/tutorials/tour-in-python.md"));
    assertThat(page.lines()).hasSizeGreaterThan(3);
    PageShell.runOnAnyPort(page.replacing("python3 ", python + " "));
  }
}
