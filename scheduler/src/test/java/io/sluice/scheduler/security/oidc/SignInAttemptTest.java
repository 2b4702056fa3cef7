// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignInAttemptTest {
  private static final String WORD = "a".repeat(43);

  @ParameterizedTest
  @ValueSource(strings = {"/", "/session", "/console/jobs/1?tab=2&x=%2F#top", "/a//b"})
  void aLocalTargetComesBackFromTheCookie(String target) {
    SignInAttempt attempt = new SignInAttempt(WORD, WORD, WORD, target);
    assertThat(SignInAttempt.isLocal(target)).isTrue();
    assertThat(SignInAttempt.decode(attempt.encode())).isEqualTo(attempt);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "/a\\b",
        "/a b",
        "/a\r\nSet-Cookie:x",
        "/\u00e9"
      })
  void aTargetElsewhereIsNone(String target) {
    assertThat(SignInAttempt.isLocal(target)).isFalse();
    assertThat(SignInAttempt.decode(new SignInAttempt(WORD, WORD, WORD, target).encode())).isNull();
  }

  @Test
  void aLongTargetIsNone() {
    assertThat(SignInAttempt.isLocal("/" + "a".repeat(999))).isTrue();
    assertThat(SignInAttempt.isLocal("/" + "a".repeat(1000))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "...", "a.b.c.Lw", "x", "a.b.c.d.e"})
  void aForgedCookieIsNone(String value) {
    assertThat(SignInAttempt.decode(value)).isNull();
    assertThat(SignInAttempt.decode(WORD + "." + WORD + "." + WORD + ".?")).isNull();
  }
}
