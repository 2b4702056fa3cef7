// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import io.sluice.scheduler.security.BrowserSession;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.hibernate.jpa.HibernateHints;
import org.jspecify.annotations.Nullable;

/** The rows of sessions. Every method takes part in the caller's transaction. */
@ApplicationScoped
public class SessionRepository implements PanacheRepositoryBase<SessionEntity, UUID> {
  /** The number of changes that were committed. */
  long edits() {
    return getSession()
        .createNativeQuery("SELECT number FROM caller_session_edit", Long.class)
        .getSingleResult();
  }

  /** Counts a change. Other changes wait until the end of the transaction. */
  void edit() {
    getSession()
        .createNativeMutationQuery("UPDATE caller_session_edit SET number = number + 1")
        .executeUpdate();
  }

  /** A session; null if there is none. */
  @Nullable StoredSession byId(UUID id) {
    SessionEntity found = find("id", id).firstResult();
    return found == null ? null : stored(found);
  }

  /** All sessions that have not expired. */
  List<StoredSession> valid(Instant now) {
    return read(find("expiresAt > ?1", now).list());
  }

  /**
   * Sessions that have not expired, ordered by caller and id.
   *
   * @param caller null: those of all callers
   * @param after returns only later ones; null: starts with the first
   */
  List<StoredSession> list(@Nullable String caller, @Nullable Place after, Instant now, int most) {
    Place start = after == null ? new Place("", new UUID(0, 0)) : after;
    return read(
        find(
                "expiresAt > ?1 and (?2 is null or caller = ?2)"
                    + " and (caller > ?3 or (caller = ?3 and id > ?4)) order by caller, id",
                now,
                caller,
                start.caller(),
                start.id())
            .page(Page.ofSize(most))
            .withHint(HibernateHints.HINT_READ_ONLY, true)
            .list());
  }

  /** A place in the list of sessions. */
  public record Place(String caller, UUID id) {}

  void insert(StoredSession stored) {
    BrowserSession session = stored.session();
    SessionEntity row = new SessionEntity();
    row.id = session.id();
    row.digest = session.digest();
    row.caller = session.caller();
    row.groups = session.groups().toArray(String[]::new);
    row.tokenDigest = session.tokenDigest();
    row.createdAt = stored.createdAt();
    row.expiresAt = session.expiresAt();
    persistAndFlush(row);
    getEntityManager().detach(row);
  }

  /** Removes a session; returns whether there was one. */
  boolean remove(UUID id) {
    return delete("id", id) > 0;
  }

  /** Removes the sessions that have expired. */
  void removeExpired(Instant now) {
    delete("expiresAt <= ?1", now);
  }

  /** Removes the oldest sessions of a caller, so that no more than a number remain. */
  void removeOldest(String caller, int most) {
    List<SessionEntity> newest =
        find("caller = ?1 order by createdAt desc, id desc", caller).page(Page.ofSize(most)).list();
    if (newest.size() == most) {
      delete(
          "caller = ?1 and id not in ?2",
          caller,
          newest.stream().map(session -> session.id).toList());
    }
    newest.forEach(getEntityManager()::detach);
  }

  /** Notes a use of sessions, unless one is noted that is not older than a time. */
  void used(Set<String> digests, Instant now, Instant unlessAfter) {
    update(
        "lastUsedAt = ?1 where digest in ?2 and (lastUsedAt is null or lastUsedAt <= ?3)",
        now,
        digests,
        unlessAfter);
  }

  private List<StoredSession> read(List<SessionEntity> rows) {
    return rows.stream().map(this::stored).toList();
  }

  /** Detaches the entity: in the session, a later read would return it unchanged. */
  private StoredSession stored(SessionEntity row) {
    getEntityManager().detach(row);
    return new StoredSession(
        new BrowserSession(
            row.id,
            row.digest,
            row.caller,
            new TreeSet<>(List.of(row.groups)),
            row.tokenDigest,
            row.expiresAt),
        row.createdAt,
        row.lastUsedAt);
  }
}
