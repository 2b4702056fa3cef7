// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.StoreException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * All events of a batch as the bytes of one row. The first byte is the version of the form. The
 * rest is compressed (zlib): the number of events; then for each its kind, its job, and its JSON.
 * The position of an event is its place in this order.
 */
final class EventPack {
  /** The kind of a row that holds a pack. */
  static final String KIND = "Packed";

  private static final int VERSION = 1;

  /** One event alone takes less room in a row of its own. */
  private static final int LEAST_EVENTS = 2;

  /** An event as it is stored. */
  record Packed(String kind, @Nullable UUID job, String body) {}

  private EventPack() {}

  /**
   * Whether the events of a batch are stored as a pack. Events of slices are not: they are found by
   * the names in their rows.
   */
  static boolean isFor(Collection<Event> events) {
    return events.size() >= LEAST_EVENTS && events.stream().noneMatch(SliceEvent.class::isInstance);
  }

  /** The jobs of events. */
  static SortedSet<UUID> jobs(Collection<Event> events) {
    SortedSet<UUID> jobs = new TreeSet<>();
    for (Event event : events) {
      JobId job = event.job();
      if (job != null) {
        jobs.add(job.value());
      }
    }
    return jobs;
  }

  /** The body of an event. An enqueued job is left out, as its own row holds it unchanged. */
  static String body(Event event) {
    return event instanceof Event.JobEnqueued ? "{}" : JournalJson.write(event);
  }

  static byte[] write(Collection<Event> events) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(VERSION);
    Deflater fast = new Deflater(Deflater.BEST_SPEED);
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, fast))) {
      out.writeInt(events.size());
      for (Event event : events) {
        JobId job = event.job();
        byte[] body = body(event).getBytes(StandardCharsets.UTF_8);
        out.writeUTF(event.getClass().getSimpleName());
        out.writeBoolean(job != null);
        if (job != null) {
          out.writeLong(job.value().getMostSignificantBits());
          out.writeLong(job.value().getLeastSignificantBits());
        }
        out.writeInt(body.length);
        out.write(body);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } finally {
      fast.end();
    }
    return bytes.toByteArray();
  }

  /**
   * The events of a pack, in their order.
   *
   * @throws StoreException if this version does not know the form, or if the bytes are damaged
   */
  static List<Packed> read(byte[] pack) {
    if (pack.length == 0 || pack[0] != VERSION) {
      throw new StoreException("events in a form that this version does not know");
    }
    try (DataInputStream in =
        new DataInputStream(
            new InflaterInputStream(new ByteArrayInputStream(pack, 1, pack.length - 1)))) {
      int count = in.readInt();
      List<Packed> events = new ArrayList<>();
      for (int at = 0; at < count; at++) {
        String kind = in.readUTF();
        UUID job = in.readBoolean() ? new UUID(in.readLong(), in.readLong()) : null;
        int length = in.readInt();
        byte[] body = in.readNBytes(length);
        if (body.length != length) {
          throw new StoreException("the events of a batch are damaged: they end too early");
        }
        events.add(new Packed(kind, job, new String(body, StandardCharsets.UTF_8)));
      }
      return events;
    } catch (IOException damaged) {
      throw new StoreException("the events of a batch are damaged: " + damaged.getMessage());
    }
  }
}
