// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The valid tokens: the server's own, and those of the tokens file, which is read again every
 * {@link #REREAD}. If it cannot be read any more, the last valid content stays in effect.
 */
final class KnownTokens {
  /** Maximum age of the file's known content. */
  static final Duration REREAD = Duration.ofSeconds(2);

  private static final Logger LOG = Logger.getLogger(KnownTokens.class);
  private static final Caller LOCAL = new Caller("local", Role.ADMIN, List.of(Caller.ALL));

  private final TokenGrant own;
  private final @Nullable Path file;
  private final InstantSource clock;
  private volatile Map<String, TokenGrant> known;
  private @Nullable FileTime readAs;
  private Instant nextLook = Instant.MIN;

  /**
   * Reads the file for the first time.
   *
   * @param ownToken the administrator's token in the data directory
   * @param file of further callers; null: there are none
   * @throws InvalidValueException if the file is invalid
   */
  public KnownTokens(String ownToken, @Nullable Path file, InstantSource clock) {
    this.own = new TokenGrant(LOCAL, Token.digest(ownToken), null);
    this.file = file;
    this.clock = clock;
    this.readAs = modified(file);
    this.known = index(file == null ? List.of() : TokensFile.read(file));
  }

  /** Authenticates a token. */
  Verdict judge(String token) {
    Instant now = clock.instant();
    look(now);
    TokenGrant grant = known.get(Token.digest(token));
    if (grant == null) {
      return new Verdict(null, "the token is not known here");
    }
    return grant.expired(now)
        ? new Verdict(
            null, "the token of " + grant.caller().name() + " expired " + grant.expiresAt())
        : new Verdict(grant.caller(), "");
  }

  /**
   * The result of an authentication.
   *
   * @param caller null if the token is refused
   * @param refusal the reason, then
   */
  record Verdict(@Nullable Caller caller, String refusal) {}

  private synchronized void look(Instant now) {
    Path watched = file;
    if (watched == null || now.isBefore(nextLook)) {
      return;
    }
    nextLook = now.plus(REREAD);
    FileTime modified = modified(watched);
    if (modified != null && modified.equals(readAs)) {
      return;
    }
    try {
      known = index(TokensFile.read(watched));
      LOG.infof("read the changed tokens file %s", watched);
    } catch (InvalidValueException wrong) {
      LOG.errorf("the former tokens stay valid: %s", wrong.getMessage());
    }
    readAs = modified;
  }

  private Map<String, TokenGrant> index(List<TokenGrant> grants) {
    Map<String, TokenGrant> index = new TreeMap<>();
    grants.forEach(grant -> index.put(grant.digest(), grant));
    index.put(own.digest(), own);
    return index;
  }

  private static @Nullable FileTime modified(@Nullable Path file) {
    try {
      return file == null ? null : Files.getLastModifiedTime(file);
    } catch (IOException unreadable) {
      return null;
    }
  }
}
