// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each is one line that says what is wrong and where. */
class StartFailureTest {
  private static final PostgresSettings DISCARDED = PostgresSettings.forDiscardedData();

  @SuppressWarnings("NullAway.Init")
  private static PassableDirectory cluster;

  @SuppressWarnings("NullAway.Init")
  private PassableDirectory directory;

  @BeforeAll
  static void makeCluster() throws IOException {
    cluster = PassableDirectory.createWithPrograms();
    EmbeddedPostgres.start(cluster.path(), DISCARDED).close();
  }

  @AfterAll
  static void deleteCluster() {
    cluster.close();
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = PassableDirectory.createWithPrograms();
  }

  @AfterEach
  void deleteDirectory() {
    directory.close();
  }

  @Test
  void aParentThatTheServersAccountMayNotEnterIsNamed() throws IOException {
    ServerAccount account = ServerAccount.choose();
    assumeTrue(account.separate(), "only root runs the server as another user");
    Path secret = Files.createDirectory(directory.resolve("secret"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwx------"));

    assertThatStartFails(secret.resolve("postgres"))
        .hasMessageContainingAll(
            "user " + account.name(), "enter " + secret + " (mode rwx------)", "--data");
  }

  @Test
  void aDirectoryThatWeMayNotWriteInIsNamed() throws IOException {
    assumeFalse(ServerAccount.choose().separate(), "root may write everywhere");
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));

    assertThatStartFails(closed).hasMessageContainingAll("cannot write in " + closed);
    assertThatStartFails(closed.resolve("below"))
        .hasMessageContainingAll(closed.resolve("below").toString(), "permission denied");
  }

  @Test
  void aFileInPlaceOfADirectoryIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatStartFails(file).hasMessageContaining(file + " is not a directory");
    assertThatStartFails(file.resolve("below")).hasMessageContaining(file + "/below");
  }

  @Test
  void aPathThatAShellWouldChangeIsRefused() {
    assertThatStartFails(directory.resolve("$HOME"))
        .hasMessageContainingAll("$HOME", "choose another data directory");
  }

  @Test
  void aPlatformWithoutBinariesIsNamed() throws IOException {
    ServerDirectory place = ServerDirectory.prepare(directory.path(), ServerAccount.choose());

    assertThatThrownBy(() -> ServerPrograms.provide(place, "postgres-plan9-m68k.txz"))
        .isInstanceOf(PostgresStartException.class)
        .hasMessageContainingAll("postgres-plan9-m68k.txz", "platform");
  }

  @Test
  void dataOfAnotherMajorVersionIsLeftAlone() throws IOException {
    Path version = cluster.resolve("data").resolve("PG_VERSION");
    String ours = Files.readString(version);
    try {
      Files.writeString(version, "9.6\n");

      assertThatStartFails(cluster.path())
          .hasMessageContainingAll(
              cluster.resolve("data") + " was made by PostgreSQL 9.6",
              "this is PostgreSQL " + ours.strip());
    } finally {
      Files.writeString(version, ours);
    }
  }

  @Test
  void aDataDirectoryOfSomethingElseIsLeftAlone() throws IOException {
    Path photos = Files.createDirectories(directory.resolve("data").resolve("photos"));

    assertThatStartFails(directory.path())
        .hasMessageContaining(directory.resolve("data") + " is no PostgreSQL data directory");
    assertThat(photos).exists();
  }

  @Test
  void theReasonOfTheServerItselfIsQuoted() throws IOException {
    Path control = cluster.resolve("data").resolve("global").resolve("pg_control");
    Path elsewhere = Files.move(control, directory.resolve("pg_control"));

    assertThatStartFails(cluster.path())
        .hasMessageContainingAll(
            "could not find the database system",
            control.toString(),
            "more in " + cluster.resolve("server.log"));
    assertThat(ServerProcess.recorded(cluster.resolve("data"))).isEmpty();
    Files.move(elsewhere, control);
    EmbeddedPostgres.start(cluster.path(), DISCARDED).close();
  }

  @Test
  void halfUnpackedProgramsAreUnpackedAgain() throws IOException, SQLException {
    try (PassableDirectory damaged = PassableDirectory.createWithPrograms()) {
      Path abandoned = Files.createDirectories(damaged.resolve("new-abandoned").resolve("bin"));
      Path obsolete = Files.createDirectory(damaged.resolve("binaries-of-another-version"));
      Path program = Path.of(programs(damaged).postgres());
      // As a crash of the machine may leave it.
      Files.delete(program);
      Files.createFile(program);

      try (EmbeddedPostgres server = EmbeddedPostgres.start(damaged.path(), DISCARDED)) {
        assertThat(Sql.on(server).ask("SELECT 1")).isEqualTo("1");
      }
      assertThat(abandoned).doesNotExist();
      assertThat(obsolete).doesNotExist();
    }
  }

  @Test
  void completeProgramsAreNotUnpackedAgain() throws IOException {
    Path program = Path.of(programs(cluster).postgres());
    Object before = Files.getAttribute(program, "unix:ino");

    assertThat(programs(cluster).postgres()).isEqualTo(program.toString());
    assertThat(Files.getAttribute(program, "unix:ino")).isEqualTo(before);
  }

  private static ServerPrograms programs(PassableDirectory directory) throws IOException {
    return ServerPrograms.provide(new ServerDirectory(directory.path()));
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertThatStartFails(Path place) {
    return assertThatThrownBy(() -> EmbeddedPostgres.start(place, DISCARDED).close())
        .isInstanceOf(PostgresStartException.class)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n").doesNotContain("null"));
  }
}
