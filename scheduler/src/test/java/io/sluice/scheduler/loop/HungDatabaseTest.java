// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.postgres.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A database that neither answers nor breaks the connection. */
class HungDatabaseTest {
  private static final Duration LEASE = Duration.ofSeconds(2);

  @Test
  void aLeaderWhoseConnectionsHangGoesOnByNewOnes() throws Exception {
    try (TestDatabase test = TestDatabase.migrated()) {
      try (SilentNetwork network = new SilentNetwork(test);
          Node only = new Node(new PartedDatabase(test, network.jdbcUrl()), "only", LEASE)) {
        Node.await("it leads", only::leads);
        Node.cancelUnknownJob(test);
        Node.await("it decides", () -> only.view.sequence() > 0);
        long before = only.view.sequence();
        network.silence();
        network.admitNew();
        Node.cancelUnknownJob(test);
        Node.await("it decides again", () -> only.view.sequence() > before);
        assertThat(only.failed.get()).isEmpty();
      }
    }
  }

  @Test
  void aLeaderWhoseConnectionsHangStepsDownAndFollows() throws Exception {
    try (TestDatabase test = TestDatabase.migrated()) {
      try (SilentNetwork network = new SilentNetwork(test);
          Node first = new Node(new PartedDatabase(test, network.jdbcUrl()), "first", LEASE);
          Node second = new Node(test, "second", LEASE)) {
        Node.await("the first leads", first::leads);
        Node.cancelUnknownJob(test);
        Node.await("the first decides", () -> first.view.sequence() > 0);
        network.silence();
        Node.await("the second leads", second::leads);
        assertThat(first.leads()).isFalse();
        network.admitNew();
        long before = second.view.sequence();
        Node.cancelUnknownJob(test);
        Node.await("the second decides", () -> second.view.sequence() > before);
        Node.await("the first follows", () -> first.view.sequence() == second.view.sequence());
        assertThat(first.failed.get()).isEmpty();
      }
    }
  }
}
