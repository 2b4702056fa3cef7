// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.leadership.Leadership;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The rows of snapshots of the engine's state: a header row and a stream of parts. Each part is a
 * transaction of its own, so that nothing waits for a large snapshot; incomplete snapshots are not
 * found.
 *
 * <p>No epoch fences these writes: a snapshot is of a durable batch, whichever server leads by
 * then.
 */
public final class SnapshotRows {
  /** Maximum size of a part. */
  public static final int PART_BYTES = 1 << 18;

  private static final String BEGIN =
      """
      INSERT INTO snapshot (shard, sequence, epoch, jobs) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """;
  private static final String COMPLETE =
      """
      UPDATE snapshot SET completed_at = clock_timestamp(), bytes = ?
      WHERE shard = ? AND sequence = ? AND epoch = ? AND completed_at IS NULL
      """;
  private static final String COLUMNS =
      "SELECT sequence, taken_at, jobs, bytes FROM snapshot WHERE completed_at IS NOT NULL AND shard = ? ";

  private final DataSource database;

  public SnapshotRows(DataSource database) {
    this.database = database;
  }

  /**
   * Begins a snapshot.
   *
   * @param jobs number of jobs that it will contain
   * @return whether it is to be written; false if there is one of that sequence
   */
  public boolean begin(long sequence, long epoch, int jobs) {
    return update(BEGIN, Leadership.SHARD, sequence, epoch, jobs) == 1;
  }

  /** Writes the parts of a snapshot that was begun. */
  public OutputStream parts(long sequence) {
    return new Parts(sequence);
  }

  /**
   * Marks a snapshot as complete.
   *
   * @param bytes of all its parts
   * @return false if it was deleted meanwhile
   */
  public boolean complete(long sequence, long epoch, long bytes) {
    return update(COMPLETE, bytes, Leadership.SHARD, sequence, epoch) == 1;
  }

  /** Deletes incomplete snapshots of this epoch and earlier ones. */
  public int deleteUnfinished(long epoch) {
    return update(
        "DELETE FROM snapshot WHERE shard = ? AND epoch <= ? AND completed_at IS NULL",
        Leadership.SHARD,
        epoch);
  }

  /**
   * Complete snapshots, the newest first.
   *
   * @param before returns only those of earlier batches
   */
  public List<StoredSnapshot> list(long before, int most) {
    return select(COLUMNS + "AND sequence < ? ORDER BY sequence DESC LIMIT ?", before, most);
  }

  /** The oldest complete snapshot; null if there is none. */
  public @Nullable StoredSnapshot oldest() {
    List<StoredSnapshot> found = select(COLUMNS + "ORDER BY sequence LIMIT ?", 1);
    return found.isEmpty() ? null : found.get(0);
  }

  /** The newest complete snapshot that is not after a batch; null if there is none. */
  public @Nullable StoredSnapshot nearest(long sequence) {
    List<StoredSnapshot> found =
        select(COLUMNS + "AND sequence <= ? ORDER BY sequence DESC LIMIT 1", sequence);
    return found.isEmpty() ? null : found.get(0);
  }

  /** The parts of a snapshot as one stream; truncated if it is deleted meanwhile. */
  public InputStream read(long sequence) {
    return new StoredParts(sequence);
  }

  private int update(String sql, Object... values) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      connection.setAutoCommit(true);
      for (int at = 0; at < values.length; at++) {
        statement.setObject(at + 1, values[at]);
      }
      return statement.executeUpdate();
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot write a snapshot", failure);
    }
  }

  private List<StoredSnapshot> select(String sql, long... values) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      connection.setAutoCommit(true);
      select.setShort(1, Leadership.SHARD);
      for (int at = 0; at < values.length; at++) {
        select.setLong(at + 2, values[at]);
      }
      return Columns.readAll(
          select,
          row ->
              new StoredSnapshot(
                  row.getLong("sequence"),
                  Columns.time(row, "taken_at"),
                  row.getInt("jobs"),
                  row.getLong("bytes")));
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot list the snapshots", failure);
    }
  }

  private final class Parts extends OutputStream {
    private final long sequence;
    private final byte[] buffer = new byte[PART_BYTES];
    private int filled;
    private int part;

    private Parts(long sequence) {
      this.sequence = sequence;
    }

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      int done = 0;
      while (done < length) {
        int more = Math.min(length - done, buffer.length - filled);
        System.arraycopy(bytes, from + done, buffer, filled, more);
        filled += more;
        done += more;
        if (filled == buffer.length) {
          store();
        }
      }
    }

    private void store() {
      byte[] body = Arrays.copyOf(buffer, filled);
      update(
          "INSERT INTO snapshot_part (shard, sequence, part, body) VALUES (?, ?, ?, ?)",
          Leadership.SHARD,
          sequence,
          part,
          body);
      part++;
      filled = 0;
    }

    @Override
    public void close() {
      if (filled > 0) {
        store();
      }
    }
  }

  private final class StoredParts extends InputStream {
    private final long sequence;
    private byte[] body = {};
    private int read;
    private int part;

    private StoredParts(long sequence) {
      this.sequence = sequence;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) == 1 ? Byte.toUnsignedInt(one[0]) : -1;
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      if (read == body.length) {
        body = next();
        read = 0;
      }
      int most = Math.min(length, body.length - read);
      System.arraycopy(body, read, bytes, from, most);
      read += most;
      return most == 0 ? -1 : most;
    }

    private byte[] next() {
      try (Connection connection = database.getConnection();
          PreparedStatement select =
              connection.prepareStatement(
                  "SELECT body FROM snapshot_part WHERE shard = ? AND sequence = ? AND part = ?")) {
        connection.setAutoCommit(true);
        select.setShort(1, Leadership.SHARD);
        select.setLong(2, sequence);
        select.setInt(3, part);
        part++;
        try (ResultSet row = select.executeQuery()) {
          return row.next() ? row.getBytes(1) : new byte[0];
        }
      } catch (SQLException failure) {
        throw new TransientStoreException("cannot read a snapshot", failure);
      }
    }
  }
}
