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
 * The valid tokens: the server's own, those of the tokens file, which is read again every {@link
 * #REREAD}, and those that the database keeps. If the file cannot be read any more, its last valid
 * content stays in effect. A name in the file excludes the issued token of the same name.
 */
public final class KnownTokens {
  /** Maximum age of the file's known content. */
  static final Duration REREAD = Duration.ofSeconds(2);

  private static final String UNKNOWN = "the token is not known here";
  private static final Logger LOG = Logger.getLogger(KnownTokens.class);
  private static final Caller LOCAL = new Caller("local", Role.ADMIN, List.of(Caller.ALL));

  private final TokenGrant own;
  private final @Nullable Path file;
  private final InstantSource clock;
  private final IssuedTokens issued;
  private volatile Index known;
  private @Nullable FileTime readAs;
  private Instant nextLook = Instant.MIN;

  /**
   * Reads the file for the first time.
   *
   * @param ownToken the administrator's token in the data directory
   * @param file of further callers; null: there are none
   * @param issued of the database
   * @throws InvalidValueException if the file is invalid
   */
  KnownTokens(String ownToken, @Nullable Path file, IssuedTokens issued, InstantSource clock) {
    this.own = new TokenGrant(LOCAL, Token.digest(ownToken), null);
    this.file = file;
    this.issued = issued;
    this.clock = clock;
    this.readAs = modified(file);
    this.known = index(file == null ? List.of() : TokensFile.read(file));
  }

  /** Authenticates a token. */
  Verdict judge(String token) {
    String digest = Token.digest(token);
    TokenGrant grant = named(digest);
    if (grant != null) {
      return verdict(grant);
    }
    return IssuedTokens.FORM.matcher(token).matches()
        ? judgeIssued(digest)
        : Verdict.refused(UNKNOWN);
  }

  /** Authenticates the token that has a hash: what it permits now. */
  Verdict judgeDigest(String digest) {
    TokenGrant grant = named(digest);
    return grant == null ? judgeIssued(digest) : verdict(grant);
  }

  private @Nullable TokenGrant named(String digest) {
    look(clock.instant());
    return known.byDigest().get(digest);
  }

  private Verdict judgeIssued(String digest) {
    IssuedTokens.Found found = issued.find(digest);
    TokenGrant grant = found.grant();
    if (!found.answered()) {
      return Verdict.databaseUnanswered("token");
    }
    if (grant == null) {
      return Verdict.refused(UNKNOWN);
    }
    String name = grant.caller().name();
    if (isNamed(name)) {
      return Verdict.refused(
          "the tokens file of this server has a caller %s, so the issued token of that name is not valid here"
              .formatted(name));
    }
    Verdict verdict = verdict(grant);
    if (verdict.signIn() != null) {
      issued.used(grant, clock.instant());
    }
    return verdict;
  }

  private Verdict verdict(TokenGrant grant) {
    return grant.expired(clock.instant())
        ? Verdict.refused("the token of " + grant.caller().name() + " expired " + grant.expiresAt())
        : Verdict.known(new SignIn(grant.caller(), grant.expiresAt(), grant.digest(), null));
  }

  /**
   * The caller with the token of a name; null if there is none, or it has expired.
   *
   * @throws IllegalStateException if the database does not answer
   */
  @Nullable Caller callerNamed(String name) {
    Instant now = clock.instant();
    look(now);
    TokenGrant grant = known.byName().get(name);
    if (grant == null) {
      IssuedTokens.Found found = issued.named(name);
      if (!found.answered()) {
        throw new IllegalStateException(
            "the token of " + name + " is not known: the database does not answer");
      }
      grant = found.grant();
    }
    return grant == null || grant.expired(now) ? null : grant.caller();
  }

  /** Whether a name belongs to a caller of the tokens file, or to the server's own token. */
  public boolean isNamed(String name) {
    look(clock.instant());
    return known.byName().containsKey(name);
  }

  /** Whether a name belongs to the caller of any token. */
  public boolean isTaken(String name) {
    return isNamed(name) || issued.named(name).grant() != null;
  }

  /** The callers of the file and of the server's own token. */
  private record Index(Map<String, TokenGrant> byDigest, Map<String, TokenGrant> byName) {}

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

  private Index index(List<TokenGrant> grants) {
    Map<String, TokenGrant> byDigest = new TreeMap<>();
    Map<String, TokenGrant> byName = new TreeMap<>();
    grants.forEach(grant -> byDigest.put(grant.digest(), grant));
    byDigest.put(own.digest(), own);
    byDigest.values().forEach(grant -> byName.put(grant.caller().name(), grant));
    return new Index(byDigest, byName);
  }

  private static @Nullable FileTime modified(@Nullable Path file) {
    try {
      return file == null ? null : Files.getLastModifiedTime(file);
    } catch (IOException unreadable) {
      return null;
    }
  }
}
