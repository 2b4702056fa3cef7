// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which data goes through Hibernate, and which through statements of JDBC. */
class PersistenceTest {
  /** Packages of data that is written for each job, round or object of a cluster. */
  private static final Set<String> HOT_PACKAGES =
      Set.of(
          "io.sluice.scheduler.store.cluster",
          "io.sluice.scheduler.store.input",
          "io.sluice.scheduler.store.job",
          "io.sluice.scheduler.store.journal",
          "io.sluice.scheduler.store.leadership",
          // Copies all tables, whatever they hold.
          "io.sluice.scheduler.backup");

  /** Classes of other packages with statements of their own. */
  private static final Set<String> HOT_CLASSES =
      Set.of(
          "io.sluice.scheduler.loop.DatabaseClock",
          "io.sluice.scheduler.notification.NotificationListener",
          "io.sluice.scheduler.notification.WakeUps",
          // Steps and parts of runs, written by the thousand, and what the leader does with runs.
          "io.sluice.scheduler.pipeline.run.HeadStarts",
          "io.sluice.scheduler.pipeline.run.LiveRuns",
          "io.sluice.scheduler.pipeline.run.LockedRun",
          "io.sluice.scheduler.pipeline.run.RunOutlook",
          "io.sluice.scheduler.pipeline.run.RunRows",
          "io.sluice.scheduler.pipeline.run.RunStart",
          "io.sluice.scheduler.pipeline.run.RunTransaction",
          "io.sluice.scheduler.pipeline.run.RunWriter",
          "io.sluice.scheduler.pipeline.schedule.BackfillTransaction",
          "io.sluice.scheduler.pipeline.schedule.FireTransaction",
          // Audit entries are written with jobs and inputs.
          "io.sluice.scheduler.store.AuditRows",
          // Rows move into the archive by the million.
          "io.sluice.scheduler.store.ArchiveRows",
          "io.sluice.scheduler.store.Columns",
          "io.sluice.scheduler.store.JobsById",
          "io.sluice.scheduler.store.RowMapping",
          // What PostgreSQL counts, not data of the schema.
          "io.sluice.scheduler.telemetry.DatabaseMeters",
          // Checks of submissions, over the connection that writes the jobs.
          "io.sluice.scheduler.store.quota.NameReader",
          "io.sluice.scheduler.store.quota.QuotaLookup",
          // Written before the application starts.
          "io.sluice.migrations.SchemaMark",
          "io.sluice.scheduler.store.quota.SettingRows");

  private static final DescribedPredicate<JavaClass> ELSEWHERE =
      DescribedPredicate.describe(
          "of administrative data",
          one ->
              !HOT_PACKAGES.contains(one.getPackageName())
                  && !HOT_CLASSES.contains(outermost(one).getName()));

  private static JavaClass outermost(JavaClass one) {
    return one.getEnclosingClass().map(PersistenceTest::outermost).orElse(one);
  }

  @Test
  void onlyTheHotPathHasStatementsOfJdbc() {
    noClasses()
        .that(ELSEWHERE)
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.sql\\.(Prepared|Callable)?Statement")
        .because("administrative data goes through a repository")
        .check(Production.classes());
  }

  @Test
  void aClassOnTheListHasStatements() {
    Set<String> unused = new TreeSet<>(HOT_CLASSES);
    for (JavaClass one : Production.classes()) {
      if (one.getDirectDependenciesFromSelf().stream()
          .anyMatch(found -> found.getTargetClass().getName().startsWith("java.sql."))) {
        unused.remove(outermost(one).getName());
      }
    }
    assertThat(unused).isEmpty();
  }

  @Test
  void onlyEntitiesAndRepositoriesKnowHibernate() {
    noClasses()
        .that()
        .haveNameNotMatching(".*(Entity|Repository)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.hibernate..",
            "jakarta.persistence..",
            "io.quarkus.hibernate..",
            "io.quarkus.panache..")
        .check(Production.classes());
  }
}
