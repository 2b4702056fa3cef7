// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.client.ClientException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of contexts: read, written, and refused with the line of an error. */
class ContextFileTest {
  private static final String TWO =
      """
      # servers
      current-context: lab
      contexts:
      - name: lab
        server: https://sluice.lab:7411
        token-file: lab.token
        namespace: research
      - {name: here, data: /srv/sluice}
      """;

  @TempDir Path home = Path.of("");

  private ContextFile file() {
    return ContextFile.ofUser(Map.of("XDG_CONFIG_HOME", home.toString()));
  }

  private ContextFile file(String text) throws IOException {
    ContextFile file = file();
    Files.createDirectories(home.resolve("sluice"));
    Files.writeString(file.path(), text);
    mode(file.path(), "rw-------");
    return file;
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void aFileThatDoesNotExistHasNoContexts() {
    assertThat(file().path()).isEqualTo(home.resolve("sluice").resolve("config"));
    assertThat(file().read()).isEqualTo(Contexts.NONE);
  }

  @Test
  void contextsAreReadAndWrittenAlike() throws IOException {
    ContextFile file = file(TWO);
    Contexts read = file.read();
    Context lab =
        new Context(
            "lab", URI.create("https://sluice.lab:7411"), null, "lab.token", null, "research");
    assertThat(read.current()).isEqualTo("lab");
    assertThat(read.all())
        .containsExactly(lab, new Context("here", null, "/srv/sluice", null, null, null));
    assertThat(file.resolve("lab.token")).isEqualTo(home.resolve("sluice/lab.token"));

    Contexts changed =
        read.with(new Context("here", null, "/srv/other", null, null, null)).withCurrent("here");
    file.write(changed);
    assertThat(file.read()).isEqualTo(changed);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
        .isEqualTo("rw-------");
  }

  @Test
  void anErrorNamesItsLine() throws IOException {
    for (String[] wrong :
        new String[][] {
          {"contexts:\n- name: a\n  server: http://h\n  sever: x\n", "line 4: unknown field"},
          {"contexts:\n- name: a\n  server: ftp://h\n", "line 3: server must be a URL"},
          {
            "contexts:\n- name: a\n  server: http://h\n  token: secret\n", "line 4: a token may not"
          },
          {"contexts:\n- name: a\n", "line 2: context a needs a server or a data directory"},
          {"contexts:\n- server: http://h\n", "line 2: a context needs a name"},
          {"current-context: b\n", "line 1: current-context is \"b\""},
          {"contexts: 3\n", "line 1: contexts must be a list"},
          {"contexts: [\n", "is not YAML"},
          {"contexts:\n- {name: a, data: x}\n- {name: a, data: y}\n", "line 3: there are two"},
          {"contexts:\n- {name: a, data: x, token-file: y}\n", "has data and token-file"},
        }) {
      ContextFile file = file(wrong[0]);
      assertThatThrownBy(file::read)
          .as(wrong[0])
          .isInstanceOf(ClientException.class)
          .hasMessageStartingWith(file.path() + ", line ")
          .hasMessageContaining(wrong[1])
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void aTokenThatOthersCanReadIsReported() throws IOException {
    ContextFile file = file(TWO);
    Path token = Files.writeString(file.resolve("lab.token"), "t");
    Context lab = file.read().all().get(0);
    mode(token, "rw-r-----");
    assertThat(file.exposure(lab)).contains("can be read by other users", "chmod 600 " + token);
    mode(token, "rw-------");
    assertThat(file.exposure(lab)).isNull();
    mode(file.path(), "rw-rw----");
    assertThat(file.exposure(lab)).contains("can be changed by other users");
  }
}
