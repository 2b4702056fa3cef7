// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import io.sluice.admission.Journal;
import io.sluice.scheduler.store.KeptConnection;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads inputs over a connection that it keeps open. Used by one thread. */
public final class InputReader implements AutoCloseable {
  private final KeptConnection connection;
  private final SetAsideInputs setAside;
  private @Nullable WorkloadRows workloads;

  /**
   * A reader that opens its connection at the first read.
   *
   * @param setAside inputs to leave out; unreadable inputs are added to it
   */
  public InputReader(DataSource database, SetAsideInputs setAside) {
    this.connection = new KeptConnection(database);
    this.setAside = setAside;
  }

  /**
   * Unconsumed inputs, in the order of their ids.
   *
   * @param known ids of inputs that are being consumed; they are left out
   * @throws TransientStoreException if the database does not answer; the next call tries a new
   *     connection
   * @throws StoreException if more inputs are unreadable than may be set aside
   */
  public List<Journal.Received> read(Set<Long> known, int most) {
    try {
      Connection open = connection.open();
      WorkloadRows reader = workloads == null ? WorkloadRows.reader(open) : workloads.on(open);
      workloads = reader;
      int before;
      List<Journal.Received> received;
      do {
        before = setAside.size();
        received = InputRows.read(open, known, setAside, most, reader);
      } while (received.isEmpty() && setAside.size() > before);
      return received;
    } catch (SQLException failure) {
      close();
      throw new TransientStoreException("cannot read inputs", failure);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
