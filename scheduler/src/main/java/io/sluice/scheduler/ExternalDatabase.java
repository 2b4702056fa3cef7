// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.scheduler.config.StartException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An external PostgreSQL. Its password comes from a file or the environment: every account of the
 * machine can read the arguments of a process.
 *
 * @param password null: the URL has it, or the database requires none
 */
record ExternalDatabase(String url, @Nullable String password) {
  /** Environment variable with the URL, which may have the password. */
  static final String URL_VARIABLE = "SLUICE_DATABASE";

  /** Environment variable with the password. */
  static final String PASSWORD_VARIABLE = "SLUICE_DATABASE_PASSWORD";

  /** The most bytes of a file with a password. */
  private static final long FILE_BYTES_MAX = 4_096;

  /**
   * Reads the options of a command.
   *
   * @param url the argument; null reads the environment
   * @param passwordFile null reads the environment
   * @return null if neither names a database
   * @throws StartException if the URL is none, has a password as an argument, or the file cannot be
   *     read; no message shows a password
   */
  static @Nullable ExternalDatabase of(
      @Nullable String url, @Nullable Path passwordFile, Map<String, String> environment) {
    String its = url == null ? blankToNull(environment.get(URL_VARIABLE)) : url;
    if (its == null) {
      if (passwordFile != null) {
        throw new StartException(
            "--database-password-file is the password of no database: give --database or "
                + URL_VARIABLE);
      }
      return null;
    }
    boolean hasPassword = hasPassword(its, url == null ? URL_VARIABLE : "--database");
    if (url != null && hasPassword) {
      throw new StartException(
          "--database has a password, which every account of this machine could read: give it by "
              + "--database-password-file, by the environment variable "
              + PASSWORD_VARIABLE
              + ", or with the whole URL by "
              + URL_VARIABLE);
    }
    return new ExternalDatabase(
        its, passwordFile == null ? environment.get(PASSWORD_VARIABLE) : read(passwordFile));
  }

  private static @Nullable String blankToNull(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }

  private static boolean hasPassword(String url, String from) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    try {
      source.setUrl(url);
    } catch (IllegalArgumentException wrong) {
      throw new StartException(from + " is not a PostgreSQL JDBC URL: " + withoutParameters(url));
    }
    return source.getPassword() != null;
  }

  private static String withoutParameters(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters);
  }

  private static String read(Path file) {
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        throw new StartException(
            "--database-password-file has more than %,d bytes: %s".formatted(FILE_BYTES_MAX, file));
      }
      String password = Files.readString(file, StandardCharsets.UTF_8).strip();
      if (password.isEmpty()) {
        throw new StartException("--database-password-file is empty: " + file);
      }
      return password;
    } catch (IOException unreadable) {
      throw new StartException("--database-password-file cannot be read: " + unreadable);
    }
  }

  /** Returns a source of connections. */
  PGSimpleDataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    if (password != null) {
      source.setPassword(password);
    }
    return source;
  }

  /** Omits passwords. */
  @Override
  public String toString() {
    return withoutParameters(url);
  }
}
