// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The command line knows the server by its address only. */
class ArrowsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.sluice.cli");

  @Test
  void theServerIsNotKnownAndNeitherIsItsFramework() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.sluice.scheduler..", "io.quarkus..", "jakarta..", "java.sql..")
        .check(CLASSES);
    assertThatThrownBy(() -> Class.forName("io.sluice.scheduler.Main"))
        .isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void packagesKnowEachOtherInOneDirection() {
    slices().matching("io.sluice.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
