// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.IssuedTokens.Found;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.security.TokenGrant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a copy of the tokens is good for while the database does not answer. */
class TokenCacheTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final Caller ALICE = new Caller("alice", Role.VIEWER, List.of());

  private long nanos = -5;
  private final TokenCache cache = new TokenCache(() -> nanos);

  private static StoredToken token(
      String digest, StoredToken.@Nullable Former former, @Nullable Instant expiresAt) {
    return new StoredToken(
        ALICE, digest, former, new StoredToken.Times(NOW, "root", null, expiresAt, null));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private void read(StoredToken... tokens) {
    cache.replace(1, List.of(tokens), nanos);
  }

  @Test
  void beforeTheFirstReadNoSearchHasAnAnswer() {
    assertThat(cache.find("a")).isEqualTo(new Found(null, false));
    assertThat(cache.edits()).isNegative();
  }

  @Test
  void aTokenThatIsNotInTheCopyIsUnknownWhileTheCopyIsConfirmed() {
    read(token("a", null, null));
    pass(TokenCache.CONFIRMED_MAX);
    assertThat(cache.find("b")).isEqualTo(new Found(null, true));
    pass(Duration.ofNanos(1));
    assertThat(cache.find("b")).isEqualTo(new Found(null, false));
    cache.confirm(nanos);
    assertThat(cache.find("b")).isEqualTo(new Found(null, true));
  }

  @Test
  void aKnownTokenIsAcceptedForABoundedTimeWithoutTheDatabase() {
    read(token("a", null, null));
    pass(TokenCache.KEPT_MAX);
    assertThat(cache.find("a").grant()).isEqualTo(new TokenGrant(ALICE, "a", null));
    pass(Duration.ofNanos(1));
    assertThat(cache.find("a")).isEqualTo(new Found(null, false));
  }

  @Test
  void aRevokedTokenIsUnknownAfterTheNextRead() {
    read(token("a", null, null));
    read();
    assertThat(cache.find("a")).isEqualTo(new Found(null, true));
  }

  @Test
  void aNameHasItsPresentTokenAndNotTheReplacedOne() {
    read(token("a", new StoredToken.Former("b", NOW.plusSeconds(60)), null));
    assertThat(cache.named("alice").grant()).isEqualTo(new TokenGrant(ALICE, "a", null));
    assertThat(cache.named("bob")).isEqualTo(new Found(null, true));
    read();
    assertThat(cache.named("alice")).isEqualTo(new Found(null, true));
    pass(TokenCache.CONFIRMED_MAX.plusNanos(1));
    assertThat(cache.named("alice")).isEqualTo(new Found(null, false));
  }

  @Test
  void aReplacedTokenExpiresWithItsGraceOrItsOwnExpiry() {
    Instant soon = NOW.plusSeconds(60);
    Instant later = NOW.plusSeconds(3600);
    read(token("new", new StoredToken.Former("old", soon), later));
    assertThat(cache.find("old").grant()).isEqualTo(new TokenGrant(ALICE, "old", soon));
    assertThat(cache.find("new").grant()).isEqualTo(new TokenGrant(ALICE, "new", later));
    read(token("new", new StoredToken.Former("old", later), soon));
    assertThat(cache.find("old").grant()).isEqualTo(new TokenGrant(ALICE, "old", soon));
  }

  @Test
  void aUseIsWrittenOnceAnHour() {
    read(token("a", null, null));
    TokenGrant grant = new TokenGrant(ALICE, "a", null);
    cache.used(grant, NOW);
    assertThat(cache.unwritten()).containsExactly("a");
    cache.written(Set.of("a"));
    cache.used(grant, NOW.plus(TokenCache.USE_WRITTEN_EVERY).minusNanos(1));
    assertThat(cache.unwritten()).isEmpty();
    cache.used(grant, NOW.plus(TokenCache.USE_WRITTEN_EVERY));
    assertThat(cache.unwritten()).containsExactly("a");
  }

  @Test
  void aUseThatAnotherServerWroteIsNotWrittenAgain() {
    StoredToken used =
        new StoredToken(ALICE, "a", null, new StoredToken.Times(NOW, "root", null, null, NOW));
    read(used);
    cache.used(new TokenGrant(ALICE, "a", null), NOW.plusSeconds(60));
    assertThat(cache.unwritten()).isEmpty();
  }

  @Test
  void nothingIsKeptOfRevokedTokens() {
    read(token("a", null, null));
    cache.used(new TokenGrant(ALICE, "a", null), NOW);
    read();
    assertThat(cache.unwritten()).isEmpty();
  }
}
