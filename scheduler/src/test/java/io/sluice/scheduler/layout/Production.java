// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.nio.file.Files;
import java.nio.file.Path;

/** Imports the production classes for ArchUnit: the application's and those of its modules. */
final class Production {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(Production::isProduction)
          .importPackages("io.sluice");

  private Production() {}

  static JavaClasses classes() {
    return CLASSES;
  }

  private static boolean isProduction(Location location) {
    return !location.contains("/test-classes/")
        && !location.contains("-tests.jar")
        && !location.contains("/io/sluice/testing/");
  }

  /** Returns the root of the checkout. */
  static Path checkout() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("sluice"))
        || Files.isDirectory(directory.resolve("sluice"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("not inside a checkout");
      }
    }
    return directory;
  }
}
