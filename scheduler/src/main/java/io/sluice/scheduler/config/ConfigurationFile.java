// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.manifests.Configuration;
import io.sluice.manifests.ConfigurationReader;
import io.sluice.manifests.document.InvalidManifestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of settings for the whole server, in the schema of Kueue's Configuration. */
public final class ConfigurationFile {
  private static final long BYTES_MAX = 1L << 20;

  private ConfigurationFile() {}

  /**
   * Reads the file.
   *
   * @throws StartException naming the error and its place
   */
  public static Configuration read(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new StartException("configuration file " + file + " is larger than 1 MiB");
      }
      return ConfigurationReader.read(Files.readString(file));
    } catch (IOException failure) {
      throw new StartException(
          "cannot read configuration file "
              + file
              + ": "
              + failure.getClass().getSimpleName().replace("Exception", ""));
    } catch (InvalidManifestException invalid) {
      throw new StartException("configuration file " + file + ": " + invalid.violations().get(0));
    }
  }
}
