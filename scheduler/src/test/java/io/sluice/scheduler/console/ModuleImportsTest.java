// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which scripts a page names. */
class ModuleImportsTest {
  private static final String PAGE =
      """
      <script type="importmap">
      {"imports": {
        "preact": "{assets}/lib/preact.js"
      }}
      </script>
      """;

  private static ModuleImports imports(Map<String, String> files) {
    Map<String, byte[]> bytes = new TreeMap<>();
    files.forEach((name, text) -> bytes.put(name, text.getBytes(StandardCharsets.UTF_8)));
    return new ModuleImports(bytes, PAGE);
  }

  @Test
  void importsAreFollowedByPathAndByName() {
    ModuleImports imports =
        imports(
            Map.of(
                "pages/jobs/jobs.js",
                """
                import { h } from "preact";
                import {
                  one,
                  two,
                } from "./rows.js";
                """,
                "pages/jobs/rows.js",
                "export { text } from \"../../shared/text.js\";",
                "shared/text.js",
                "import{h}from\"preact\"",
                "lib/preact.js",
                "",
                "pages/jobs/other.js",
                ""));
    assertThat(imports.closure("pages/jobs/jobs.js"))
        .containsExactly(
            "pages/jobs/jobs.js", "lib/preact.js", "pages/jobs/rows.js", "shared/text.js");
  }

  @Test
  void textsThatLookLikeImportsAreIgnored() {
    ModuleImports imports =
        imports(
            Map.of(
                "a.js",
                "get(\"from\") ?? \"x\"; \"began \" + `from \"${x}\"`; from \"./gone.js\""));
    assertThat(imports.closure("a.js")).containsExactly("a.js");
  }

  @Test
  void circlesEnd() {
    ModuleImports imports =
        imports(
            Map.of("a.js", "import { b } from \"./b.js\"", "b.js", "import { a } from \"./a.js\""));
    assertThat(imports.closure("a.js")).containsExactly("a.js", "b.js");
  }

  @Test
  void aPageWithoutItsScriptIsRefused() {
    assertThatThrownBy(() -> imports(Map.of()).closure("pages/gone.js"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the console has no file pages/gone.js");
  }
}
