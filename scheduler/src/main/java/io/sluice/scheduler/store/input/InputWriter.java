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

/** Writes inputs in transactions of their own. */
public final class InputWriter {
  private final DataSource database;

  public InputWriter(DataSource database) {
    this.database = database;
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
          InputRows.append(connection, inputs);
          besides.in(connection);
        });
  }
}
