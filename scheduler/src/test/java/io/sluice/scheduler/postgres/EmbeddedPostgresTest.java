// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One durable cluster for all of them: each test starts it and stops it again. */
class EmbeddedPostgresTest {
  private static final PostgresSettings KEPT = PostgresSettings.forKeptData();

  @SuppressWarnings("NullAway.Init")
  private static PassableDirectory directory;

  @BeforeAll
  static void makeDirectory() throws IOException {
    directory = PassableDirectory.create();
  }

  @AfterAll
  static void deleteDirectory() {
    directory.close();
  }

  @Test
  void theRoleOwnsItsDatabaseAndIsNoSuperuser() throws SQLException {
    try (EmbeddedPostgres server = start()) {
      Sql sql = Sql.on(server);

      assertThat(sql.ask("SELECT current_database()")).isEqualTo("sluice");
      assertThat(sql.ask("SELECT datdba::regrole FROM pg_database WHERE datname = 'sluice'"))
          .isEqualTo("sluice");
      assertThat(
              sql.ask(
                  "SELECT rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname = 'sluice'"))
          .isEqualTo("f");
      assertThat(sql.ask("SHOW server_encoding")).isEqualTo("UTF8");
      assertThat(sql.ask("SELECT datcollate FROM pg_database WHERE datname = 'sluice'"))
          .isEqualTo("C");
    }
  }

  @Test
  void dataIsKeptOverARestart() throws SQLException {
    String password;
    try (EmbeddedPostgres server = start()) {
      Sql.on(server).execute("CREATE TABLE kept AS SELECT 42 AS answer");
      password = server.password();
    }
    try (EmbeddedPostgres server = start()) {
      assertThat(Sql.on(server).ask("SELECT answer FROM kept")).isEqualTo("42");
      assertThat(server.password()).isEqualTo(password);
    }
  }

  @Test
  void whatIsCommittedIsDurableAndTheServerIsModest() throws SQLException {
    try (EmbeddedPostgres server = start()) {
      Sql sql = Sql.on(server);

      assertThat(sql.ask("SHOW fsync")).isEqualTo("on");
      assertThat(sql.ask("SHOW synchronous_commit")).isEqualTo("on");
      assertThat(sql.ask("SHOW full_page_writes")).isEqualTo("on");
      assertThat(sql.ask("SHOW data_checksums")).isEqualTo("on");
      assertThat(sql.ask("SHOW shared_buffers")).isEqualTo(KEPT.sharedBuffersMebibytes() + "MB");
      assertThat(sql.ask("SHOW max_connections")).isEqualTo("40");
      assertThat(sql.ask("SHOW jit")).isEqualTo("off");
      assertThat(sql.ask("SHOW autovacuum")).isEqualTo("on");
      assertThat(sql.ask("SHOW log_timezone")).isEqualTo("UTC");
    }
  }

  @Test
  void thePageCacheFollowsTheMemoryWithinBounds() {
    long gibibyte = 1L << 30;
    assertThat(PostgresSettings.forKeptData(gibibyte).sharedBuffersMebibytes()).isEqualTo(64);
    assertThat(PostgresSettings.forKeptData(16 * gibibyte).sharedBuffersMebibytes()).isEqualTo(256);
    assertThat(PostgresSettings.forKeptData(1024 * gibibyte).sharedBuffersMebibytes())
        .isEqualTo(512);
  }

  @Test
  void onlyThisMachineIsListenedTo() throws IOException, SQLException {
    try (EmbeddedPostgres server = start()) {
      Sql sql = Sql.on(server);

      assertThat(server.jdbcUrl()).startsWith("jdbc:postgresql://127.0.0.1:");
      assertThat(sql.ask("SHOW listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(Files.readAllLines(directory.resolve("data").resolve("postmaster.pid")).get(4))
          .as("directory of local sockets")
          .isEmpty();
    }
  }

  @Test
  void nobodyGetsInWithoutTheRightPassword() {
    try (EmbeddedPostgres server = start()) {
      for (Sql intruder :
          List.of(
              new Sql(server.jdbcUrl(), server.user(), "wrong"),
              new Sql(server.jdbcUrl(), server.user(), ""),
              new Sql(server.jdbcUrl(), "postgres", ""),
              new Sql(server.jdbcUrl(), "postgres", server.password()))) {
        assertThatThrownBy(() -> intruder.ask("SELECT 1"))
            .as("user %s, password %s", intruder.user(), intruder.password())
            .isInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void thePasswordCanBeReadByItsOwnerOnly() throws IOException {
    Path file = directory.resolve("password");
    start().close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    try (EmbeddedPostgres server = start()) {
      assertThat(Files.readString(file).strip())
          .isEqualTo(server.password())
          .hasSizeGreaterThan(30);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(Files.getOwner(file)).isEqualTo(Files.getOwner(directory.path()));
    }
  }

  @Test
  void aLostPasswordIsReplaced() throws IOException, SQLException {
    String lost;
    try (EmbeddedPostgres server = start()) {
      lost = server.password();
    }
    Files.delete(directory.resolve("password"));
    try (EmbeddedPostgres server = start()) {
      assertThat(server.password()).isNotEqualTo(lost);
      assertThat(Sql.on(server).ask("SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void theServerNeverRunsAsRoot() throws IOException {
    assumeTrue(Files.isDirectory(Path.of("/proc/self")), "reads /proc");
    ServerAccount account = ServerAccount.choose();
    try (EmbeddedPostgres server = start()) {
      Object uid = Files.getAttribute(Path.of("/proc", Long.toString(server.pid())), "unix:uid");

      assertThat(((Number) uid).longValue()).isEqualTo(account.uid()).isNotZero();
    }
  }

  @Test
  void theServersAccountCannotReadWhatIsOnlyForRoot() throws IOException {
    ServerAccount account = ServerAccount.choose();
    assumeTrue(account.separate(), "only root runs the server as another user");
    start().close();
    CommandRunner runner = new CommandRunner(new ServerDirectory(directory.path()), account);

    for (String file : List.of("password", "postgresql.conf", "pg_hba.conf")) {
      String path = directory.resolve(file).toString();
      assertThat(runner.run(CommandRunner.PROBE_LIMIT, "test", "-r", path).succeeded())
          .as("reads %s", file)
          .isEqualTo(!file.equals("password"));
      assertThat(runner.run(CommandRunner.PROBE_LIMIT, "test", "-w", path).succeeded())
          .as("writes %s", file)
          .isFalse();
    }
  }

  @Test
  void theServerHasASessionOfItsOwn() throws IOException {
    assumeTrue(Files.isDirectory(Path.of("/proc/self")), "reads /proc");
    try (EmbeddedPostgres server = start()) {
      long ours = session(ProcessHandle.current().pid());

      assertThat(session(server.pid())).isEqualTo(server.pid()).isNotEqualTo(ours);
    }
  }

  @Test
  void aTakenPortCostsAnotherAttempt() throws IOException, SQLException {
    int free = EmbeddedPostgres.freePort();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Deque<Integer> ports = new ArrayDeque<>(List.of(taken.getLocalPort(), free));
      try (EmbeddedPostgres server =
          EmbeddedPostgres.start(directory.path(), KEPT, ports::removeFirst)) {
        assertThat(server.jdbcUrl()).contains(":" + free + "/");
        assertThat(Sql.on(server).ask("SELECT 1")).isEqualTo("1");
      }
    }
  }

  @Test
  void twoServersRunAtTheSameTimeInTwoDirectories() throws IOException, SQLException {
    try (PassableDirectory other = PassableDirectory.createWithPrograms();
        EmbeddedPostgres one = start();
        EmbeddedPostgres two =
            EmbeddedPostgres.start(
                other.resolve("a directory's name"), PostgresSettings.forDiscardedData())) {
      Sql.on(two).execute("CREATE TABLE only_in_two (id int)");

      assertThat(two.jdbcUrl()).isNotEqualTo(one.jdbcUrl());
      assertThat(Sql.on(two).ask("SELECT to_regclass('only_in_two')")).isEqualTo("only_in_two");
      assertThat(Sql.on(one).ask("SELECT to_regclass('only_in_two')")).isNull();
      assertThat(Sql.on(two).ask("SHOW fsync")).isEqualTo("off");
    }
  }

  @Test
  void closeEndsTheServerWhileAConnectionIsOpenAndASecondCloseDoesNothing()
      throws IOException, SQLException {
    EmbeddedPostgres server = start();
    ServerProcess process = running();
    try (Connection open = Sql.on(server).connect()) {
      open.setAutoCommit(false);
      open.createStatement().execute("SELECT 1");

      server.close();

      assertThat(process.isRunning()).isFalse();
      server.close();
    }
    assertThatThrownBy(() -> Sql.on(server).ask("SELECT 1")).isInstanceOf(SQLException.class);
  }

  @Test
  void anInterruptDoesNotLeaveHalfAServer() throws IOException, SQLException {
    Thread.currentThread().interrupt();
    EmbeddedPostgres server = start();
    boolean keptOverStart = Thread.interrupted();
    ServerProcess process = running();
    String answer = Sql.on(server).ask("SELECT 1");
    Thread.currentThread().interrupt();
    server.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(keptOverStart).isTrue();
    assertThat(answer).isEqualTo("1");
    assertThat(process.isRunning()).isFalse();
  }

  private static EmbeddedPostgres start() {
    return EmbeddedPostgres.start(directory.path(), KEPT);
  }

  private static ServerProcess running() throws IOException {
    ServerProcess process = ServerProcess.recorded(directory.resolve("data")).orElseThrow();
    assertThat(process.isRunning()).isTrue();
    return process;
  }

  /** The sixth field, counted from behind the name, which may contain anything. */
  private static long session(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3]);
  }
}
