// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.restmodel.Page;
import io.sluice.scheduler.pipeline.schedule.UpcomingRuns;
import io.sluice.scheduler.store.TimeRange;
import io.sluice.scheduler.store.job.AttemptFilter;
import io.sluice.scheduler.store.job.JobFilter;
import io.sluice.scheduler.store.job.JobOrder;
import io.sluice.scheduler.store.journal.AllocationReader;
import io.sluice.scheduler.store.journal.EndedAttemptReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Page sizes and cursors. A cursor is opaque to callers: it encodes the end of a page. */
public final class Pages {
  /** Default page size. */
  public static final String DEFAULT = "100";

  /** Maximum page size. */
  public static final int MAX = 500;

  private Pages() {}

  /**
   * A page of a list that was read with one entry more than the page may have. The further entry
   * only shows that another page follows.
   *
   * @param found at most {@code limit + 1} entries
   * @param limit the maximum number of entries of the page
   * @param cursor writes the cursor after the last entry of the page
   */
  public static <F, T> Page<T> of(
      List<F> found, int limit, Function<F, T> convert, Function<F, String> cursor) {
    return new Page<>(
        found.stream().limit(limit).map(convert).toList(),
        found.size() > limit ? cursor.apply(found.get(limit - 1)) : null);
  }

  /** The cursor after a job in a list of that order, which is part of the cursor. */
  public static String write(JobFilter.Cursor cursor, JobOrder order) {
    String place = cursor.createdAt() + " " + cursor.id();
    return encode(order == JobOrder.NEWEST ? place : place + " " + order);
  }

  /** The job after which a list continues; refuses the cursor of a list of another order. */
  public static JobFilter.@Nullable Cursor readJobs(@Nullable String cursor, JobOrder order) {
    if (cursor == null) {
      return null;
    }
    String[] parts = decode(cursor).split(" ", -1);
    boolean oldest = parts.length == 3 && parts[2].equals(JobOrder.OLDEST.name());
    try {
      if (parts.length == 2 || oldest) {
        JobFilter.Cursor read = new JobFilter.Cursor(time(parts[0], cursor), JobId.parse(parts[1]));
        if (oldest != (order == JobOrder.OLDEST)) {
          throw new ProblemException(
              ProblemKind.INVALID_CURSOR,
              "cursor belongs to a list with order=%s, this one has order=%s: %s"
                  .formatted(
                      oldest ? "oldest" : "newest",
                      oldest ? "newest" : "oldest",
                      Parameters.shown(cursor)));
        }
        return read;
      }
    } catch (DateTimeException | InvalidValueException unreadable) {
      throw unreadable(cursor);
    }
    throw unreadable(cursor);
  }

  /** The time in a cursor, within the range of the database. */
  private static Instant time(String text, String cursor) {
    Instant at = Instant.parse(text);
    if (!TimeRange.storable(at)) {
      throw unreadable(cursor);
    }
    return at;
  }

  public static String write(ObjectKey key) {
    return encode(key.namespace() + "/" + key.name());
  }

  public static @Nullable ObjectKey readObjects(ObjectKind kind, @Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String[] parts = decode(cursor).split("/", -1);
    if (parts.length != 2 || !Parameters.storable(parts[0] + parts[1])) {
      throw unreadable(cursor);
    }
    return new ObjectKey(kind, parts[0], parts[1]);
  }

  public static String writeNamed(String namespace, String name) {
    return encode(namespace + "/" + name);
  }

  /** Namespace and name; null if there is no cursor. */
  public static String @Nullable [] readNamed(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String[] parts = decode(cursor).split("/", -1);
    if (parts.length != 2 || !Parameters.storable(parts[0] + parts[1])) {
      throw unreadable(cursor);
    }
    return parts;
  }

  /** A cursor of several names. */
  public static String writePlaced(List<String> names) {
    return encode(String.join("/", names));
  }

  /** Three names of a cursor; null if there is no cursor. */
  public static @Nullable List<String> readPlaced(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    List<String> names = List.of(decode(cursor).split("/", -1));
    if (names.size() != 3 || !Parameters.storable(String.join("", names))) {
      throw unreadable(cursor);
    }
    return names;
  }

  public static String write(UpcomingRuns.Place place) {
    return encode(
        String.join(
            " ",
            place.dueAt().toString(),
            place.namespace(),
            place.pipeline(),
            place.schedule(),
            place.time().toString()));
  }

  /** The run after which a list of upcoming runs continues; null if there is no cursor. */
  public static UpcomingRuns.@Nullable Place readUpcoming(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String[] parts = decode(cursor).split(" ", -1);
    try {
      if (parts.length == 5) {
        return new UpcomingRuns.Place(
            time(parts[0], cursor), parts[1], parts[2], parts[3], time(parts[4], cursor));
      }
    } catch (DateTimeException unreadableTime) {
      throw unreadable(cursor);
    }
    throw unreadable(cursor);
  }

  /** The position of an event: sequence and position in the batch. */
  public static long[] readEvents(@Nullable String cursor) {
    if (cursor == null) {
      return new long[] {0, -1};
    }
    String[] parts = decode(cursor).split("/", -1);
    try {
      if (parts.length == 2) {
        return new long[] {Long.parseLong(parts[0]), Integer.parseInt(parts[1])};
      }
    } catch (NumberFormatException unreadable) {
      throw unreadable(cursor);
    }
    throw unreadable(cursor);
  }

  public static String writeEvents(long sequence, int position) {
    return encode(sequence + "/" + position);
  }

  /**
   * The position of an event at which a list with the newest first continues; by default the end.
   */
  public static long[] readEventsBefore(@Nullable String cursor) {
    return cursor == null ? new long[] {Long.MAX_VALUE, Integer.MAX_VALUE} : readEvents(cursor);
  }

  public static String writeAttempt(AttemptFilter.Place place) {
    return encode(place.admittedAt() + " " + place.index() + " " + place.number());
  }

  /** The position at which a list of attempts continues; null if there is no cursor. */
  public static AttemptFilter.@Nullable Place readAttempt(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String[] parts = decode(cursor).split(" ", -1);
    try {
      if (parts.length == 3) {
        return new AttemptFilter.Place(
            time(parts[0], cursor), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
      }
    } catch (DateTimeException | NumberFormatException unreadable) {
      throw unreadable(cursor);
    }
    throw unreadable(cursor);
  }

  public static String writeEndedAttempt(EndedAttemptReader.Place place) {
    AttemptKey key = place.attempt();
    return encode(place.ended() + " " + key.job() + " " + key.index() + " " + key.attempt());
  }

  /** The attempt after which a list of ended ones continues; null if there is no cursor. */
  public static EndedAttemptReader.@Nullable Place readEndedAttempt(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String[] parts = decode(cursor).split(" ", -1);
    try {
      if (parts.length == 4) {
        return new EndedAttemptReader.Place(
            time(parts[0], cursor),
            new AttemptKey(
                new JobId(UUID.fromString(parts[1])),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3])));
      }
    } catch (IllegalArgumentException | DateTimeException unreadable) {
      throw unreadable(cursor);
    }
    throw unreadable(cursor);
  }

  /**
   * The place after which a list of the plan continues.
   *
   * @param from start of the last entry
   * @param index of its attempt; -1: it is a planned start
   * @param number of its attempt
   */
  public record PlanPlace(Instant from, String job, int index, int number) {}

  public static String writePlan(PlanPlace place) {
    return encode(place.from() + " " + place.job() + " " + place.index() + " " + place.number());
  }

  /** The place at which a list of the plan continues; null if there is no cursor. */
  public static @Nullable PlanPlace readPlan(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String[] parts = decode(cursor).split(" ", -1);
    try {
      if (parts.length == 4) {
        return new PlanPlace(
            Instant.parse(parts[0]),
            // Of a booking or an outage, its kind and name.
            parts[1].indexOf('/') > 0 ? parts[1] : JobId.parse(parts[1]).toString(),
            Integer.parseInt(parts[2]),
            Integer.parseInt(parts[3]));
      }
    } catch (DateTimeException | NumberFormatException | InvalidValueException unreadable) {
      throw unreadable(cursor);
    }
    throw unreadable(cursor);
  }

  public static String writeAllocation(AllocationReader.Place place) {
    return encode(place.sequence() + " " + place.slice());
  }

  /** The allocation after which a list continues; null if there is no cursor. */
  public static AllocationReader.@Nullable Place readAllocation(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String[] parts = decode(cursor).split(" ", 2);
    try {
      if (parts.length == 2 && Parameters.storable(parts[1])) {
        return new AllocationReader.Place(Long.parseLong(parts[0]), parts[1]);
      }
    } catch (NumberFormatException unreadable) {
      throw unreadable(cursor);
    }
    throw unreadable(cursor);
  }

  public static String writeName(String name) {
    return encode(name);
  }

  /** The name after which a list ordered by name continues. */
  public static String readName(String cursor) {
    String name = decode(cursor);
    if (name.isEmpty() || !Parameters.storable(name)) {
      throw unreadable(cursor);
    }
    return name;
  }

  public static String writeNumber(long number) {
    return encode(Long.toString(number));
  }

  /** The number at which a list in descending order continues; by default the largest number. */
  public static long readNumber(@Nullable String cursor) {
    if (cursor == null) {
      return Long.MAX_VALUE;
    }
    try {
      return Long.parseLong(decode(cursor));
    } catch (NumberFormatException notNumber) {
      throw unreadable(cursor);
    }
  }

  private static String encode(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notBase64) {
      throw unreadable(cursor);
    }
  }

  private static ProblemException unreadable(String cursor) {
    return new ProblemException(
        ProblemKind.INVALID_CURSOR,
        "cursor was not made by this server: " + Parameters.shown(cursor));
  }
}
