// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ViolationTest {
  @Test
  void violationReadsAsASentence() {
    assertThat(new Violation(1, "spec.queue", "A", "must be lower case"))
        .hasToString("spec.queue \"A\": must be lower case");
    assertThat(new Violation(3, "spec.queue", "", "is required"))
        .hasToString("document 3, spec.queue: is required");
    assertThat(new Violation(3, "", "5", "must be an object"))
        .hasToString("document 3 \"5\": must be an object");
    assertThat(new Violation(1, "", "", "is not UTF-8")).hasToString("is not UTF-8");
  }

  @Test
  void valueIsOneBoundedLine() {
    assertThat(new Violation(1, "", "a\nb\t\u0000\u202e\ud83d\ude00", "").value())
        .isEqualTo("a\\nb\\t\\u0000\\u202e\ud83d\ude00");
    assertThat(new Violation(1, "", "x".repeat(100), "").value()).hasSize(100).endsWith("x");
    assertThat(new Violation(1, "", "x".repeat(101), "").value()).hasSize(100).endsWith("x…");
    assertThat(new Violation(1, "", "\ud83d\ude00".repeat(60), "").value())
        .hasSizeLessThanOrEqualTo(100)
        .endsWith("\ud83d\ude00…");
  }

  @Test
  void pathNamesFieldsEntriesAndKeys() {
    assertThat(Path.ROOT).hasToString("");
    assertThat(Path.ROOT.field("spec").field("list").index(2).field("labels").key("a.b/c"))
        .hasToString("spec.list[2].labels[a.b/c]");
    assertThat(Path.ROOT.index(0).field("kind")).hasToString("[0].kind");
    assertThat(Path.ROOT.field("two words")).hasToString("[two words]");
    assertThat(Path.ROOT.key("k".repeat(200)).toString()).hasSize(102);
  }
}
