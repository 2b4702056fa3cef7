// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

import java.util.List;

/**
 * The first entry of a backup.
 *
 * @param format version of the format that follows
 * @param server version of the server that wrote it
 * @param writtenAt time of writing, as ISO 8601 in UTC
 * @param migrations versions of the migrations that made its schema, in their order
 */
record BackupHeader(int format, String server, String writtenAt, List<String> migrations) {
  static final int FORMAT = 1;

  BackupHeader {
    migrations = List.copyOf(migrations);
  }
}
