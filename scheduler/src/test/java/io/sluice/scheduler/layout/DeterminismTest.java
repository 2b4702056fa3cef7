// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Why the same inputs give the same decisions in every process. */
class DeterminismTest {
  private static final Set<String> UNORDERED_COLLECTORS =
      Set.of(
          "toSet",
          "toMap",
          "groupingBy",
          "partitioningBy",
          "toUnmodifiableSet",
          "toUnmodifiableMap");
  private static final Set<String> UNORDERED_FACTORIES = Set.of("of", "ofEntries", "copyOf");

  private static boolean isUnordered(AccessTarget target) {
    String owner = target.getOwner().getName();
    String name = target.getName();
    return switch (owner) {
      case "java.util.Set", "java.util.Map" -> UNORDERED_FACTORIES.contains(name);
      case "java.util.stream.Collectors" -> UNORDERED_COLLECTORS.contains(name);
      default -> false;
    };
  }

  private static boolean isFromOutside(AccessTarget target) {
    String owner = target.getOwner().getName();
    String name = target.getName();
    return switch (owner) {
      case "java.lang.System" ->
          Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty", "identityHashCode")
              .contains(name);
      case "java.lang.Math" -> name.equals("random");
      case "java.util.UUID" -> name.equals("randomUUID");
      case "java.util.Collections" -> name.equals("shuffle");
      default -> owner.startsWith("java.time.") && name.equals("now");
    };
  }

  private static DescribedPredicate<JavaAccess<?>> what(
      String description, Predicate<AccessTarget> predicate) {
    return describe(description, access -> predicate.test(access.getTarget()));
  }

  @Test
  void theEngineKeepsNothingWhoseOrderDependsOnTheProcess() {
    noClasses()
        .that()
        .resideInAPackage("io.sluice.admission..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.util\\.(HashMap|HashSet|Hashtable|IdentityHashMap|WeakHashMap)")
        .check(Production.classes());
    noClasses()
        .that()
        .resideInAPackage("io.sluice.admission..")
        .should()
        .accessTargetWhere(what("make a collection without order", DeterminismTest::isUnordered))
        .check(Production.classes());
  }

  @Test
  void theCoreHasNoClockNoChanceAndNoThreads() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.sluice.queuemodel..", "io.sluice.computeclasses..", "io.sluice.admission..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.time\\.Clock|java\\.lang\\.Thread.*|java\\.lang\\.Process.*"
                + "|java\\.lang\\.Runtime"
                + "|java\\.util\\.(Random|SplittableRandom|Timer|Locale\\$Category|random\\..*)")
        .check(Production.classes());
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.sluice.queuemodel..", "io.sluice.computeclasses..", "io.sluice.admission..")
        .should()
        .accessTargetWhere(what("ask the machine", DeterminismTest::isFromOutside))
        .check(Production.classes());
  }
}
