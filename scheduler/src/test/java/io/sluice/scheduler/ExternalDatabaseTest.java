// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.scheduler.config.StartException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalDatabaseTest {
  private static final String URL = "jdbc:postgresql://db.example.com/sluice?user=sluice";

  private static ExternalDatabase found(
      @Nullable String url, @Nullable Path file, Map<String, String> environment) {
    return Objects.requireNonNull(ExternalDatabase.of(url, file, environment));
  }

  private static @Nullable String password(ExternalDatabase database) {
    return database.source().getPassword();
  }

  @Test
  void withoutAnAddressThereIsNone() {
    assertThat(ExternalDatabase.of(null, null, Map.of())).isNull();
    assertThat(ExternalDatabase.of(null, null, Map.of("SLUICE_DATABASE", " "))).isNull();
    // The variable may be there for another purpose.
    assertThat(ExternalDatabase.of(null, null, Map.of("SLUICE_DATABASE_PASSWORD", "x"))).isNull();
  }

  @Test
  void theEnvironmentMayHaveTheWholeAddress() {
    String whole = URL + "&password=secret";
    ExternalDatabase database = found(null, null, Map.of("SLUICE_DATABASE", whole));
    assertThat(password(database)).isEqualTo("secret");
    assertThat(database.source().getUser()).isEqualTo("sluice");
    assertThat(database).asString().doesNotContain("secret");
  }

  @Test
  void anArgumentHasPrecedenceOverTheEnvironmentAndAFileOverAVariable(@TempDir Path directory)
      throws Exception {
    Path file = Files.writeString(directory.resolve("password"), " from-file\n");
    Map<String, String> environment =
        Map.of(
            "SLUICE_DATABASE", "jdbc:postgresql://other/x", "SLUICE_DATABASE_PASSWORD", "from-env");
    assertThat(password(found(URL, null, environment))).isEqualTo("from-env");
    assertThat(password(found(URL, file, environment))).isEqualTo("from-file");
    assertThat(found(URL, file, environment).url()).isEqualTo(URL);
    assertThat(password(found(URL, null, Map.of()))).isNull();
  }

  @Test
  void aPasswordIsNoArgumentAndInNoMessage() {
    assertThatThrownBy(() -> ExternalDatabase.of(URL + "&password=secret", null, Map.of()))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("--database-password-file")
        .hasMessageNotContaining("secret");
    Map<String, String> wrong = Map.of("SLUICE_DATABASE", "mysql://x?password=secret");
    assertThatThrownBy(() -> ExternalDatabase.of(null, null, wrong))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("SLUICE_DATABASE is not a PostgreSQL JDBC URL: mysql://x")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aFileIsThereHasAPasswordAndBelongsToADatabase(@TempDir Path directory) throws Exception {
    Path missing = directory.resolve("missing");
    Path empty = Files.writeString(directory.resolve("empty"), "\n");
    Path large = Files.writeString(directory.resolve("large"), "x".repeat(5_000));
    for (Path file : new Path[] {missing, empty, large}) {
      assertThatThrownBy(() -> ExternalDatabase.of(URL, file, Map.of()))
          .isInstanceOf(StartException.class)
          .hasMessageContaining(file.toString());
    }
    assertThatThrownBy(() -> ExternalDatabase.of(null, large, Map.of()))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("no database");
  }
}
