// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Writes settings of the installation, before the application starts. All servers of a database
 * share them.
 */
public final class SettingRows {
  /** The default queueing of ClusterQueues. */
  static final String QUEUEING = "queueing";

  private SettingRows() {}

  /**
   * Sets how ClusterQueues are served that do not say so when they are created.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public static void setQueueing(DataSource database, Queueing.Mode mode) {
    try (Connection connection = database.getConnection();
        PreparedStatement upsert =
            connection.prepareStatement(
                "INSERT INTO installation_setting (name, value) VALUES (?, ?)"
                    + " ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value")) {
      upsert.setString(1, QUEUEING);
      upsert.setString(2, mode.word());
      upsert.executeUpdate();
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot store the default queueing", failure);
    }
  }
}
