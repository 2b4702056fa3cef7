// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.JobId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Many rows as the bytes of one: events and inputs of a batch. The first byte is the version of the
 * form. The rest is compressed (zlib): the number of rows; then for each its kind, its job, and its
 * JSON.
 */
public final class RowPack {
  private static final int VERSION = 1;

  private RowPack() {}

  /** Packs rows in their order. */
  public static byte[] write(Collection<JournalRow> rows) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(VERSION);
    Deflater fast = new Deflater(Deflater.BEST_SPEED);
    try (OutputStream compressed = new DeflaterOutputStream(bytes, fast)) {
      DataOutputStream out = new DataOutputStream(plain);
      out.writeInt(rows.size());
      for (JournalRow row : rows) {
        write(out, row);
      }
      // At once, as each call of the compression costs more than a few bytes do.
      plain.writeTo(compressed);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } finally {
      fast.end();
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, JournalRow row) throws IOException {
    JobId job = row.job();
    byte[] body = row.body().getBytes(StandardCharsets.UTF_8);
    out.writeUTF(row.kind());
    out.writeBoolean(job != null);
    if (job != null) {
      out.writeLong(job.value().getMostSignificantBits());
      out.writeLong(job.value().getLeastSignificantBits());
    }
    out.writeInt(body.length);
    out.write(body);
  }

  /**
   * The rows of a pack, in their order.
   *
   * @throws StoreException if this version does not know the form, or if the bytes are damaged
   */
  public static List<JournalRow> read(byte[] pack) {
    if (pack.length == 0 || pack[0] != VERSION) {
      throw new StoreException("packed rows in a form that this version does not know");
    }
    ByteArrayInputStream bytes = new ByteArrayInputStream(pack, 1, pack.length - 1);
    try (InputStream compressed = new InflaterInputStream(bytes)) {
      byte[] plain = compressed.readAllBytes();
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(plain));
      int count = in.readInt();
      List<JournalRow> rows = new ArrayList<>();
      for (int at = 0; at < count; at++) {
        rows.add(row(in));
      }
      return rows;
    } catch (IOException damaged) {
      throw new StoreException("packed rows are damaged", damaged);
    }
  }

  private static JournalRow row(DataInputStream in) throws IOException {
    String kind = in.readUTF();
    JobId job = in.readBoolean() ? new JobId(new UUID(in.readLong(), in.readLong())) : null;
    byte[] body = new byte[in.readInt()];
    in.readFully(body);
    return new JournalRow(kind, job, new String(body, StandardCharsets.UTF_8));
  }
}
