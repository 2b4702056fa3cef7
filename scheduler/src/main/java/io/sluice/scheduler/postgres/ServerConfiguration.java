// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The server's configuration files, written at each start. They are outside the data directory, so
 * that processes of the server's account cannot change who may connect.
 */
record ServerConfiguration(ServerDirectory directory, PostgresSettings settings) {
  private static final String HEADER = "# Written by Sluice at every start: changes are lost.\n";

  void write(int port) throws IOException {
    replace(
        directory.configuration(),
        parameters(port).entrySet().stream()
            .map(parameter -> parameter.getKey() + " = '" + quoted(parameter.getValue()) + "'\n")
            .collect(Collectors.joining()));
    // Refuses everything else: other roles, other addresses, local sockets, replication.
    replace(
        directory.hostBasedAuthentication(),
        "host all " + Cluster.ROLE + " 127.0.0.1/32 scram-sha-256\n");
  }

  private Map<String, String> parameters(int port) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("hba_file", directory.hostBasedAuthentication().toString());
    parameters.put("listen_addresses", "127.0.0.1");
    parameters.put("port", Integer.toString(port));
    parameters.put("unix_socket_directories", "");
    parameters.put("password_encryption", "scram-sha-256");
    parameters.put("authentication_timeout", "10s");
    parameters.put("max_connections", Integer.toString(settings.maxConnections()));
    // No superuser can connect.
    parameters.put("superuser_reserved_connections", "0");

    String durable = settings.durable() ? "on" : "off";
    parameters.put("fsync", durable);
    parameters.put("synchronous_commit", durable);
    parameters.put("full_page_writes", durable);
    // There are no replicas, so WAL need not contain what only they read.
    parameters.put("wal_level", "minimal");
    parameters.put("max_wal_senders", "0");
    parameters.put("max_logical_replication_workers", "0");

    parameters.put("shared_buffers", settings.sharedBuffersMebibytes() + "MB");
    parameters.put("jit", "off");
    // Parallel queries need shared memory, of which a container has 64 MB by default.
    parameters.put("max_parallel_workers_per_gather", "0");
    parameters.put("autovacuum", "on");
    parameters.put("timezone", "UTC");

    // Failed statements are logged by the client, which gets the error. Messages about the server
    // itself are LOG, FATAL or PANIC, and few: nothing else bounds the file.
    parameters.put("log_min_messages", "log");
    parameters.put("log_min_error_statement", "panic");
    parameters.put("log_checkpoints", "off");
    parameters.put("log_timezone", "UTC");
    return parameters;
  }

  private static String quoted(String value) {
    return value.replace("'", "''");
  }

  private void replace(Path file, String text) throws IOException {
    Path unfinished = directory.unfinished();
    Files.writeString(unfinished, HEADER + text);
    Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
