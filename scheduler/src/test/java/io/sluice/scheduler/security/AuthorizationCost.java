// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.queuemodel.quota.team.Member;
import io.sluice.queuemodel.quota.team.MemberRole;
import io.sluice.scheduler.security.copy.ConfirmedCopy;
import io.sluice.scheduler.security.given.IndexedRoles;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a request costs from its token to its rights: the hash of the token, the look-up of
 * its caller among 10,000, the roles from 1,000 teams of 20 members, the words by which endpoints
 * require rights, and the check of a namespace. Prints nanoseconds of a request.
 */
public final class AuthorizationCost {
  private static final int TOKENS = 10_000;
  private static final int TEAMS = 1_000;
  private static final int MEMBERS = 20;
  private static final int GROUPS = 50;
  private static final int WARM_UP = 100_000;
  private static final int REQUESTS = 200_000;

  private AuthorizationCost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) {
    List<String> tokens = new ArrayList<>();
    Map<String, TokenGrant> byDigest = new HashMap<>();
    for (int number = 0; number < TOKENS; number++) {
      String token = secret(number);
      tokens.add(token);
      String digest = Token.digest(token);
      Caller caller = new Caller("user-" + number, Role.VIEWER, List.of("own-" + number));
      byDigest.put(digest, new TokenGrant(caller, digest, null));
    }
    ConfirmedCopy<TokenGrant> copy = new ConfirmedCopy<>(() -> 0, Duration.ofHours(1));
    copy.replace(1, byDigest, Map.of(), 0);
    KnownTokens known = new KnownTokens(secret(-1), null, new Issued(copy), InstantSource.system());
    GivenRoles roles = new IndexedRoles(teams());

    measure("token", WARM_UP, number -> byToken(known, roles, tokens.get(number % TOKENS)));
    measure("token", REQUESTS, number -> byToken(known, roles, tokens.get(number % TOKENS)));
    TreeSet<String> groups = new TreeSet<>();
    for (int group = 0; group < GROUPS; group++) {
      groups.add("group-" + group);
    }
    Caller signedIn = new Caller("user-1", groups, List.of());
    measure("session of a caller with 50 groups", WARM_UP, number -> rights(signedIn, roles));
    measure("session of a caller with 50 groups", REQUESTS, number -> rights(signedIn, roles));
  }

  /** A token of the form of issued ones. */
  private static String secret(int number) {
    byte[] bits = ByteBuffer.allocate(Integer.BYTES * 8).putInt(number).array();
    return IssuedTokens.PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  private static List<QuotaObject> teams() {
    List<QuotaObject> teams = new ArrayList<>();
    for (int team = 0; team < TEAMS; team++) {
      List<Member> members = new ArrayList<>();
      members.add(new Member("group-" + team, true, MemberRole.OPERATOR));
      for (int member = 0; member < MEMBERS; member++) {
        members.add(new Member("user-" + (team * 10 + member), false, MemberRole.SUBMITTER));
      }
      teams.add(
          new Team(
              ObjectMeta.named("team-" + team),
              List.of("team-" + team, "team-" + team + "-dev"),
              null,
              null,
              members,
              Ceilings.DEFAULT));
    }
    return teams;
  }

  private static int byToken(KnownTokens known, GivenRoles roles, String token) {
    SignIn signIn = known.judge(token).signIn();
    if (signIn == null) {
      throw new IllegalStateException("a token of its own is refused");
    }
    return rights(signIn.caller(), roles);
  }

  private static int rights(Caller caller, GivenRoles roles) {
    Caller whole = caller.with(roles.of(caller.name(), caller.groups()));
    int rights = whole.words().size();
    return rights
        + (whole.may(Right.SUBMIT, "team-7") ? 1 : 0)
        + whole.scope(Right.READ).names().size();
  }

  private interface Request {
    int run(int number);
  }

  private static void measure(String what, int requests, Request request) {
    long seen = 0;
    long begun = System.nanoTime();
    for (int number = 0; number < requests; number++) {
      seen += request.run(number);
    }
    long nanos = (System.nanoTime() - begun) / requests;
    if (requests == REQUESTS) {
      System.out.printf("authorization by %s: %d ns (%d)%n", what, nanos, seen);
    }
  }

  /** Issued tokens without a database. */
  private record Issued(ConfirmedCopy<TokenGrant> copy) implements IssuedTokens {
    @Override
    public Found find(String digest) {
      ConfirmedCopy.Result<TokenGrant> result = copy.find(digest);
      return new Found(result.value(), result.answered());
    }

    @Override
    public Found named(String name) {
      return new Found(null, true);
    }

    @Override
    public boolean isAny() {
      return true;
    }

    @Override
    public void used(TokenGrant grant, @Nullable Instant now) {
      // Nothing is written.
    }
  }
}
