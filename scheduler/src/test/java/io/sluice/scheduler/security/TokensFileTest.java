// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensFileTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  /** A database without tokens. */
  private static final IssuedTokens NONE =
      new IssuedTokens() {
        @Override
        public Found named(String name) {
          return new Found(null, true);
        }

        @Override
        public boolean isAny() {
          return false;
        }

        @Override
        public Found find(String digest) {
          return new Found(null, true);
        }

        @Override
        public void used(TokenGrant grant, Instant now) {
          throw new AssertionError("no token is issued: " + grant);
        }
      };

  @TempDir Path directory = Path.of("");
  private Instant now = NOW;

  private Path file(String... lines) throws IOException {
    return Files.write(directory.resolve("tokens"), List.of(lines));
  }

  private static String line(String words, String token) {
    return words + " sha256:" + Token.digest(token);
  }

  @Test
  void aLineIsACallerAndTheRestSaysNothing() throws IOException {
    Path file =
        file(
            "# people",
            "",
            line("alice submitter research,vision 2027-01-31T00:00:00Z", "a"),
            line("  bob   admin\t- -", "b"));

    List<TokenGrant> grants = TokensFile.read(file);

    assertThat(grants)
        .containsExactly(
            new TokenGrant(
                new Caller("alice", Role.SUBMITTER, List.of("research", "vision")),
                Token.digest("a"),
                Instant.parse("2027-01-31T00:00:00Z")),
            new TokenGrant(new Caller("bob", Role.ADMIN, List.of()), Token.digest("b"), null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alice viewer -|five words",
        "alice root - - sha256:00|role must be one of viewer, submitter, operator, auditor, admin, it is root",
        "al/ice viewer - - sha256:00|no name for a caller: al/ice",
        "server viewer - - sha256:00|no name for a caller: server",
        "alice viewer - - sha256:00|sha256: and 64 hexadecimal digits",
        "alice viewer - - hunter2|sha256: and 64 hexadecimal digits"
      })
  void aWrongLineIsNamed(String line, String reason) throws IOException {
    Path file = file("# people", line);

    assertThatThrownBy(() -> TokensFile.read(file))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(file + ", line 2")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alice submitter - -|the role submitter needs namespaces",
        "alice operator - -|the role operator needs namespaces",
        "alice submitter Research -|Research",
        "alice submitter a,,b -|namespace  must be",
        "alice viewer - tomorrow|it is tomorrow"
      })
  void aLineWithAGoodTokenMayBeWrongToo(String words, String reason) throws IOException {
    Path file = file(line(words, "a"));

    assertThatThrownBy(() -> TokensFile.read(file))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(file + ", line 1")
        .hasMessageContaining(reason);
  }

  @Test
  void twoCallersShareNeitherNameNorToken() throws IOException {
    Path sameName = file(line("alice viewer - -", "a"), line("alice admin - -", "b"));
    assertThatThrownBy(() -> TokensFile.read(sameName)).hasMessageContaining("line 2");

    Path sameToken = file(line("alice viewer - -", "a"), line("bob admin - -", "a"));
    assertThatThrownBy(() -> TokensFile.read(sameToken)).hasMessageContaining("line 2");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> TokensFile.read(directory.resolve("absent")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("absent");
  }

  @Test
  void aTokenIsWorthSomethingUntilItExpires() throws IOException {
    Path file = file(line("alice viewer - 2026-06-01T00:00:10Z", "a"));
    KnownTokens tokens = new KnownTokens("own", file, NONE, () -> now);

    assertThat(tokens.judge("a").caller()).extracting(Caller::name).isEqualTo("alice");
    assertThat(tokens.judge("own").caller()).extracting(Caller::role).isEqualTo(Role.ADMIN);
    assertThat(tokens.judge("b").refusal()).contains("not known");
    assertThat(tokens.judge(Token.digest("a")).caller()).isNull();

    now = NOW.plusSeconds(10);
    assertThat(tokens.judge("a").caller()).isNull();
    assertThat(tokens.judge("a").refusal()).contains("expired");
  }

  @Test
  void aChangedFileIsReadAgainAndAWrongOneKeepsTheFormerCallers() throws IOException {
    Path file = file(line("alice viewer - -", "a"));
    KnownTokens tokens = new KnownTokens("own", file, NONE, () -> now);

    change(file, line("bob viewer - -", "b"));
    assertThat(tokens.judge("a").caller()).isNull();
    assertThat(tokens.judge("b").caller()).isNotNull();

    change(file, "nonsense");
    assertThat(tokens.judge("b").caller()).isNotNull();
    assertThat(tokens.judge("own").caller()).isNotNull();

    change(file, line("carol viewer - -", "c"));
    assertThat(tokens.judge("b").caller()).isNull();
    assertThat(tokens.judge("c").caller()).isNotNull();
  }

  /** Later by more than the resolution of any file system, and past the next look. */
  private void change(Path file, String line) throws IOException {
    now = now.plus(KnownTokens.REREAD).plusSeconds(1);
    Files.write(file, List.of(line));
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plus(Duration.between(NOW, now))));
  }
}
