// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migrations.SchemaMigration;
import io.sluice.queuemodel.job.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.InputWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A database that neither answers nor breaks the connection. */
class HungDatabaseTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(deadline);
      Thread.sleep(20);
    }
  }

  private static void write(TestDatabase test) {
    JobId unknown = JobId.parse("01a1fd32-2207-7081-8b8b-396e83942357");
    new InputWriter(test.dataSource()).append(List.of(new Input.CancelJob(unknown, "test")));
  }

  @Test
  void aLeaderWhoseConnectionsHangGoesOnByNewOnes() throws Exception {
    try (TestDatabase test = TestDatabase.create()) {
      SchemaMigration.apply(test.dataSource());
      try (SilentNetwork network = new SilentNetwork(test);
          Node only = new Node(new PartedDatabase(test, network.jdbcUrl()), "only", LEASE)) {
        await("it leads", only::leads);
        write(test);
        await("it decides", () -> only.view.sequence() > 0);
        long before = only.view.sequence();
        network.silence();
        network.admitNew();
        write(test);
        await("it decides again", () -> only.view.sequence() > before);
        assertThat(only.failed.get()).isEmpty();
      }
    }
  }

  @Test
  void aLeaderWhoseConnectionsHangStepsDownAndFollows() throws Exception {
    try (TestDatabase test = TestDatabase.create()) {
      SchemaMigration.apply(test.dataSource());
      try (SilentNetwork network = new SilentNetwork(test);
          Node first = new Node(new PartedDatabase(test, network.jdbcUrl()), "first", LEASE);
          Node second = new Node(test, "second", LEASE)) {
        await("the first leads", first::leads);
        write(test);
        await("the first decides", () -> first.view.sequence() > 0);
        network.silence();
        await("the second leads", second::leads);
        assertThat(first.leads()).isFalse();
        network.admitNew();
        long before = second.view.sequence();
        write(test);
        await("the second decides", () -> second.view.sequence() > before);
        await("the first follows", () -> first.view.sequence() == second.view.sequence());
        assertThat(first.failed.get()).isEmpty();
      }
    }
  }
}
