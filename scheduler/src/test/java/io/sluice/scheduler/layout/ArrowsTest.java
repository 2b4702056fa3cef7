// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which module and which package may know which. */
class ArrowsTest {
  private static final String[] CORE = {
    "io.sluice.queuemodel..", "io.sluice.computeclasses..", "io.sluice.admission.."
  };

  private static void check(ArchRule rule) {
    rule.check(Production.classes());
  }

  @Test
  void everyModuleIsLookedAt() {
    Set<String> modules = new TreeSet<>();
    for (JavaClass one : Production.classes()) {
      modules.add(one.getPackageName().split("\\.", -1)[2]);
    }
    assertThat(modules)
        .containsExactly(
            "admission",
            "computeclasses",
            "manifests",
            "migrations",
            "queuemodel",
            "restmodel",
            "scheduler",
            "simulator");
  }

  @Test
  void theModulesOfTheCoreKnowThoseBelowThem() {
    check(knowsOnly("io.sluice.queuemodel..", "io.sluice.queuemodel.."));
    check(
        knowsOnly(
            "io.sluice.computeclasses..", "io.sluice.queuemodel..", "io.sluice.computeclasses.."));
    check(knowsOnly("io.sluice.admission..", CORE));
    check(
        knowsOnly(
            "io.sluice.manifests..",
            "io.sluice.queuemodel..",
            "io.sluice.computeclasses..",
            "io.sluice.manifests.."));
    check(knowsOnly("io.sluice.migrations..", "io.sluice.migrations.."));
    check(knowsOnly("io.sluice.restmodel..", "io.sluice.restmodel.."));
  }

  @Test
  void noRoundKnowsTheIsolatedCycle() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("io.sluice.admission..", "io.sluice.scheduler..")
            .and()
            .resideOutsideOfPackage("io.sluice.admission.cycle.isolated")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.admission.cycle.isolated"));
  }

  /** The search for a place meets it only as a policy, which the rules choose. */
  @Test
  void onlyTheChoiceOfAPolicyKnowsTheBalancedPlacement() {
    String balanced = "io.sluice.admission.placement.BalancedPlacement";
    String policy = "io.sluice.admission.placement.DomainPolicy";
    check(
        noClasses()
            .that()
            .resideInAnyPackage("io.sluice.admission..", "io.sluice.scheduler..")
            .and()
            .doNotHaveFullyQualifiedName(balanced)
            .and()
            .doNotHaveFullyQualifiedName(policy)
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName(balanced));
  }

  @Test
  void theFactsOfTheEnginesMemoryKnowNoIndexOfThem() {
    check(
        knowsOnly(
            "io.sluice.admission.state.fact",
            "io.sluice.queuemodel..",
            "io.sluice.admission.state.fact",
            "io.sluice.admission.state.record",
            "io.sluice.admission.state.usage",
            "io.sluice.admission.policy",
            "io.sluice.admission.ordering",
            "io.sluice.admission.topology"));
    check(
        knowsOnly(
            "io.sluice.admission.state.pending",
            "io.sluice.queuemodel..",
            "io.sluice.admission.state..",
            "io.sluice.admission.ordering"));
    check(
        knowsOnly(
            "io.sluice.admission.state.heads",
            "io.sluice.queuemodel..",
            "io.sluice.admission.quota",
            "io.sluice.admission.state.fact",
            "io.sluice.admission.state.heads",
            "io.sluice.admission.state.pending",
            "io.sluice.admission.state.promise",
            "io.sluice.admission.state.usage"));
  }

  /** What changes a fact returns nothing, and what tells of one changes nothing. */
  @Test
  void onlyTheStateChangesFacts() {
    DescribedPredicate<JavaMethodCall> changesFact =
        DescribedPredicate.describe(
            "change a fact",
            call ->
                call.getTargetOwner().getPackageName().equals("io.sluice.admission.state.fact")
                    && call.getTarget().getRawReturnType().getName().equals("void"));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.admission.state..")
            .should()
            .callMethodWhere(changesFact));
  }

  @Test
  void nobodyKnowsTheApplicationsAboveHim() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.scheduler..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sluice.scheduler..", "io.quarkus..", "jakarta.."));
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.sluice.cli..", "io.sluice.benchmarks..", "io.sluice.testing.."));
  }

  private static ArchRule knowsOnly(String module, String... known) {
    return noClasses()
        .that()
        .resideInAPackage(module)
        .should()
        .dependOnClassesThat(resideInAPackage("io.sluice..").and(resideOutsideOfPackages(known)));
  }

  /** A client takes it without a framework. */
  @Test
  void theBodiesOfRestNeedAnnotationsAndNothingElse() {
    check(
        classes()
            .that()
            .resideInAPackage("io.sluice.restmodel..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "io.sluice.restmodel..",
                "java..",
                "com.fasterxml.jackson.annotation..",
                "org.jspecify.."));
  }

  @Test
  void theCoreNeedsTheLanguageAndNothingElse() {
    check(
        classes()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "io.sluice.queuemodel..",
                "io.sluice.computeclasses..",
                "io.sluice.admission..",
                "java.lang..",
                "java.math..",
                "java.time..",
                "java.util..",
                "org.jspecify.annotations.."));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "java.lang.reflect..",
                "java.util.concurrent..",
                "java.util.logging..",
                "java.util.prefs..",
                "java.util.zip.."));
  }

  @Test
  void eachLibraryIsKnownInOnePlace() {
    check(only("io.sluice.scheduler.api..", "jakarta.ws.rs..", "org.jboss.resteasy.."));
    check(only("io.sluice.scheduler.execution.kubernetes..", "io.fabric8.."));
    check(only("io.sluice.scheduler.pipeline.quartz..", "org.quartz.."));
    check(only("io.sluice.scheduler.pipeline.cron..", "com.cronutils.."));
    check(only("io.sluice.migrations..", "org.flywaydb.."));
  }

  private static ArchRule only(String place, String... library) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(place)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(library)
        .allowEmptyShould(true);
  }

  @Test
  void packagesKnowEachOtherInOneDirection() {
    check(slices().matching("io.sluice.(**)").should().beFreeOfCycles());
  }
}
