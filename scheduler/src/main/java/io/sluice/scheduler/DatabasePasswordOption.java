// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the password of an {@link ExternalDatabase}. */
final class DatabasePasswordOption {
  @Option(
      names = "--database-password-file",
      paramLabel = "FILE",
      description =
          "File with the password of the external PostgreSQL. Default: the environment variable "
              + "SLUICE_DATABASE_PASSWORD.")
  @Nullable Path file;
}
