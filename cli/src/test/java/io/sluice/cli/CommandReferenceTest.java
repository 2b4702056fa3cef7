// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference of the commands is what the commands say of themselves. */
class CommandReferenceTest {
  private static final Path PAGE =
      Checkout.root().resolve("docs").resolve("reference").resolve("commands.md");
  private static final String MARK = "<!-- generated from here -->\n";
  private static final String WRITE = "reference.write";

  @Test
  void thePageIsCurrent() throws IOException {
    String page = Files.readString(PAGE);
    int mark = page.indexOf(MARK);
    assertThat(mark).as(PAGE + " has the line " + MARK).isNotNegative();
    String byHand = page.substring(0, mark + MARK.length());
    String current = byHand + "\n" + CommandReference.of(Main.commandLine());
    if (System.getProperty(WRITE) != null) {
      Files.writeString(PAGE, current);
    }
    assertThat(Files.readString(PAGE))
        .as(
            "to write it anew: ./mvnw -pl cli -am test -Dtest=CommandReferenceTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -D"
                + WRITE)
        .isEqualTo(current);
  }

  @Test
  void commandsInsideCommandsAreInIt() {
    assertThat(CommandReference.of(Main.commandLine()))
        .contains("### submit\n", "### run start\n", "### schedule backfill\n")
        .doesNotContain("${", "### help\n", "@|");
  }
}
