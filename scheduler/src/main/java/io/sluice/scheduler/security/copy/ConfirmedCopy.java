// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.copy;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All credentials of one kind that the database keeps, in memory and by their hashes. A {@link
 * CopyRefresh} keeps it current.
 *
 * <p>While the database does not answer, the copy is no longer confirmed. After {@link
 * #CONFIRMED_MAX}, a credential that it lacks may have been created since, so the search has no
 * answer. After {@link #KEPT_MAX}, a credential that it has may have been revoked long ago, so it
 * is not accepted any more.
 *
 * @param <T> the caller and the rights of a credential
 */
public final class ConfirmedCopy<T> {
  /** How long a copy that was not confirmed again shows which credentials do not exist. */
  public static final Duration CONFIRMED_MAX = Duration.ofSeconds(5);

  /** How long a credential is accepted without a confirmation of the copy. */
  public static final Duration KEPT_MAX = Duration.ofMinutes(10);

  /**
   * What is known.
   *
   * @param edits the number of changes that the credentials include; negative: none were read
   * @param confirmedNanos before the read that confirmed it
   */
  private record Known<T>(long edits, Map<String, T> byDigest, long confirmedNanos) {}

  /**
   * The result of a search.
   *
   * @param value null: no credential has that hash
   * @param answered false: the copy is too old, so that the result is not known
   */
  public record Result<T>(@Nullable T value, boolean answered) {}

  private final LongSupplier nanos;
  private final Duration useWrittenEvery;
  private volatile Known<T> known;

  /** The last noted use by hash; at most one entry for each hash of the copy. */
  private final Map<String, Instant> uses = new ConcurrentHashMap<>();

  /** Hashes whose use is not written yet. */
  private final Set<String> unwritten = ConcurrentHashMap.newKeySet();

  /**
   * A copy that knows nothing yet.
   *
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   * @param useWrittenEvery the time between two writes of the last use of a credential
   */
  public ConfirmedCopy(LongSupplier nanos, Duration useWrittenEvery) {
    this.nanos = nanos;
    this.useWrittenEvery = useWrittenEvery;
    this.known = new Known<>(-1, Map.of(), nanos.getAsLong() - KEPT_MAX.toNanos() - 1);
  }

  /** Searches for a credential by its hash. */
  public Result<T> find(String digest) {
    Known<T> current = known;
    long age = nanos.getAsLong() - current.confirmedNanos();
    T value = current.byDigest().get(digest);
    Duration bound = value == null ? CONFIRMED_MAX : KEPT_MAX;
    return age > bound.toNanos() ? new Result<>(null, false) : new Result<>(value, true);
  }

  /** Whether the copy is recent enough to show which credentials do not exist. */
  public boolean isConfirmed() {
    return nanos.getAsLong() - known.confirmedNanos() <= CONFIRMED_MAX.toNanos();
  }

  /** Whether any credential is known. */
  public boolean isAny() {
    return !known.byDigest().isEmpty();
  }

  /** Notes that a credential was accepted. */
  public void used(String digest, Instant now) {
    Instant before = uses.get(digest);
    if (before == null || !now.isBefore(before.plus(useWrittenEvery))) {
      uses.put(digest, now);
      unwritten.add(digest);
    }
  }

  /** The number of changes that the copy includes; negative: it was never read. */
  public long edits() {
    return known.edits();
  }

  /** The time of the clock before the read that confirmed the copy last. */
  long confirmedNanos() {
    return known.confirmedNanos();
  }

  /**
   * Replaces the copy.
   *
   * @param stored the uses that the database knows, by hash
   * @param startedNanos before the read began
   */
  public void replace(
      long edits, Map<String, T> byDigest, Map<String, Instant> stored, long startedNanos) {
    stored.forEach(
        (digest, used) ->
            uses.merge(digest, used, (one, other) -> one.isAfter(other) ? one : other));
    known = new Known<>(edits, Map.copyOf(byDigest), startedNanos);
    uses.keySet().retainAll(byDigest.keySet());
    unwritten.retainAll(byDigest.keySet());
  }

  /**
   * Confirms the copy: no change was committed since.
   *
   * @param startedNanos before the read of the number of changes
   */
  public void confirm(long startedNanos) {
    Known<T> current = known;
    known = new Known<>(current.edits(), current.byDigest(), startedNanos);
  }

  /** The hashes whose use is to be written. */
  public Set<String> unwritten() {
    return new TreeSet<>(unwritten);
  }

  /** The use of these hashes is written. */
  public void written(Set<String> digests) {
    unwritten.removeAll(digests);
  }
}
