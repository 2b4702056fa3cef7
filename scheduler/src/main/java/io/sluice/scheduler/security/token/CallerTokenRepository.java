// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Role;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.hibernate.jpa.HibernateHints;
import org.jspecify.annotations.Nullable;

/** The rows of issued tokens. Every method takes part in the caller's transaction. */
@ApplicationScoped
public class CallerTokenRepository implements PanacheRepositoryBase<CallerTokenEntity, String> {
  /** The number of changes that were committed. */
  long edits() {
    return getSession()
        .createNativeQuery("SELECT number FROM caller_token_edit", Long.class)
        .getSingleResult();
  }

  /** Counts a change. Other changes wait until the end of the transaction. */
  void edit() {
    getSession()
        .createNativeMutationQuery("UPDATE caller_token_edit SET number = number + 1")
        .executeUpdate();
  }

  /** A token; null if there is none. */
  @Nullable StoredToken named(String name) {
    CallerTokenEntity found = find("name", name).firstResult();
    return found == null ? null : stored(found);
  }

  /**
   * Tokens, ordered by name.
   *
   * @param after returns only later ones; empty: starts with the first
   */
  List<StoredToken> list(String after, int most) {
    return find("name > ?1 order by name", after)
        .page(Page.ofSize(most))
        .withHint(HibernateHints.HINT_READ_ONLY, true)
        .list()
        .stream()
        .map(this::stored)
        .toList();
  }

  void insert(StoredToken token) {
    CallerTokenEntity row = new CallerTokenEntity();
    row.name = token.caller().name();
    row.role = token.caller().role().word();
    row.namespaces = token.caller().namespaces().words().toArray(String[]::new);
    row.digest = token.digest();
    row.createdAt = token.times().createdAt();
    row.createdBy = token.times().createdBy();
    row.expiresAt = token.times().expiresAt();
    persistAndFlush(row);
    getEntityManager().detach(row);
  }

  /**
   * Replaces a token.
   *
   * @param former the replaced token, while it stays valid; null: it does not
   */
  void rotate(String name, String digest, StoredToken.@Nullable Former former, Instant now) {
    update(
        "digest = ?2, formerDigest = ?3, formerUntil = ?4, rotatedAt = ?5 where name = ?1",
        name,
        digest,
        former == null ? null : former.digest(),
        former == null ? null : former.until(),
        now);
  }

  void remove(String name) {
    delete("name", name);
  }

  /** Notes a use of tokens, unless one is noted that is not older than a time. */
  void used(Set<String> digests, Instant now, Instant unlessAfter) {
    update(
        "lastUsedAt = ?1 where (digest in ?2 or formerDigest in ?2)"
            + " and (lastUsedAt is null or lastUsedAt <= ?3)",
        now,
        digests,
        unlessAfter);
  }

  /** Detaches the entity: in the session, a later read would return it unchanged. */
  private StoredToken stored(CallerTokenEntity row) {
    getEntityManager().detach(row);
    String former = row.formerDigest;
    Instant until = row.formerUntil;
    return new StoredToken(
        new Caller(row.name, Role.of(row.role), List.of(row.namespaces)),
        row.digest,
        former == null || until == null ? null : new StoredToken.Former(former, until),
        new StoredToken.Times(
            row.createdAt, row.createdBy, row.rotatedAt, row.expiresAt, row.lastUsedAt));
  }
}
