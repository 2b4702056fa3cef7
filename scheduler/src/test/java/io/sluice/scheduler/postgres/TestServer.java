// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import io.sluice.migrations.SchemaMigration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** The PostgreSQL server of this JVM, on which {@link TestDatabase} creates databases. */
public final class TestServer {
  private static final Path ENGINE = Path.of("/var/run/docker.sock");
  private static final Duration ENGINE_LIMIT = Duration.ofSeconds(2);
  private static final int ANSWER_BYTES_MAX = 16;

  private TestServer() {}

  private static final class Started {
    static final List<String> ADDRESS = engineAnswers() ? startContainer() : startEmbedded();
  }

  /** Returns JDBC URL, user and password. The first call starts the server. */
  public static List<String> address() {
    return Started.ADDRESS;
  }

  private static final class Template {
    static final String NAME = migrate("migrated_template");
  }

  /** Returns a database with the current schema, to be copied. The first call creates it. */
  public static String migratedTemplate() {
    return Template.NAME;
  }

  private static String migrate(String name) {
    List<String> address = address();
    Sql server = new Sql(address.get(0), address.get(1), address.get(2));
    try {
      server.execute("CREATE DATABASE " + name);
      PGSimpleDataSource database = new PGSimpleDataSource();
      database.setUrl(address.get(0).replaceFirst("(//[^/]+/)[^?]*", "$1" + name));
      database.setUser(address.get(1));
      database.setPassword(address.get(2));
      SchemaMigration.apply(database);
      // Only a database without connections can be copied.
      server.execute("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false");
      return name;
    } catch (SQLException failure) {
      throw new IllegalStateException("no database with the current schema", failure);
    }
  }

  private static List<String> startEmbedded() {
    try {
      PassableDirectory directory = PassableDirectory.createWithPrograms();
      EmbeddedPostgres server =
          EmbeddedPostgres.start(directory.path(), PostgresSettings.forDiscardedData());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, directory)));
      return List.of(server.jdbcUrl(), server.user(), server.password());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stop(EmbeddedPostgres server, PassableDirectory directory) {
    server.close();
    directory.close();
  }

  /** Starts a container; the library ends it with the JVM. */
  private static List<String> startContainer() {
    PostgreSQLContainer container = new PostgreSQLContainer("postgres:17-alpine");
    container.start();
    return List.of(container.getJdbcUrl(), container.getUsername(), container.getPassword());
  }

  /**
   * Whether a container engine answers. Asked directly, because the library's own search floods the
   * output if there is none.
   */
  private static boolean engineAnswers() {
    if (!Files.exists(ENGINE)) {
      return false;
    }
    try (SocketChannel engine = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      engine.connect(UnixDomainSocketAddress.of(ENGINE));
      engine.write(
          ByteBuffer.wrap("GET /_ping HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      engine.configureBlocking(false);
      ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES_MAX);
      return Waiting.until(() -> fills(answer, engine), ENGINE_LIMIT)
          && new String(answer.array(), StandardCharsets.US_ASCII).contains(" 200 ");
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private static boolean fills(ByteBuffer answer, SocketChannel engine) {
    try {
      return engine.read(answer) < 0 || !answer.hasRemaining();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
