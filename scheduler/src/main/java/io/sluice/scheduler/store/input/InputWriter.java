// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import io.sluice.queuemodel.event.Input;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.UnstorableException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Writes inputs in transactions of their own. */
public final class InputWriter {
  private final DataSource database;
  private final @Nullable Runnable whenWritten;

  /** A writer of rare inputs, which notifies the leader in each transaction. */
  public InputWriter(DataSource database) {
    this(database, null);
  }

  /**
   * A writer of frequent inputs.
   *
   * @param whenWritten called after each commit, to wake the leader; null: each transaction
   *     notifies it
   */
  public InputWriter(DataSource database, @Nullable Runnable whenWritten) {
    this.database = database;
    this.whenWritten = whenWritten;
  }

  /**
   * Stores inputs durably, all or none.
   *
   * @throws TransientStoreException if the database does not answer
   * @throws UnstorableException if the database refuses a value
   */
  public void append(List<Input> inputs) {
    append(inputs, List.of());
  }

  /**
   * Stores inputs durably with their audit entries, all or none.
   *
   * @throws TransientStoreException if the database does not answer
   * @throws UnstorableException if the database refuses a value
   */
  public void append(List<Input> inputs, List<AuditEntry> audit) {
    append(inputs, connection -> AuditRows.insert(connection, audit));
  }

  /**
   * Stores inputs durably with the outputs of their jobs, all or none.
   *
   * @throws TransientStoreException if the database does not answer
   * @throws UnstorableException if the database refuses a value
   */
  public void appendWithOutputs(List<Input> inputs, List<OutputRows.Output> outputs) {
    append(inputs, connection -> OutputRows.keep(connection, outputs));
  }

  private void append(List<Input> inputs, OneTransaction.Writing besides) {
    OneTransaction.write(
        database,
        "cannot write inputs",
        connection -> {
          if (whenWritten == null) {
            InputRows.append(connection, inputs);
          } else {
            InputRows.insert(connection, inputs);
          }
          besides.in(connection);
        });
    if (whenWritten != null) {
      whenWritten.run();
    }
  }
}
