// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.input.SetAsideCounts;
import io.sluice.scheduler.store.input.SetAsideInputs.SetAsideInput;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inputs that a leader cannot consume keep nobody else's from being consumed. */
class SetAsideInputsTest {
  private static final String UNCONSUMED = "SELECT count(*) FROM input WHERE consumed_by IS NULL";

  private TestDatabase test;
  private DataSource database;

  @BeforeEach
  void create() throws SQLException {
    test = TestDatabase.migrated();
    database = test.dataSource();
  }

  @AfterEach
  void drop() throws SQLException {
    test.close();
  }

  private void execute(String statement) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement one = connection.createStatement()) {
      one.execute(statement);
    }
  }

  /** As a server of another version would write it. */
  private void insert(String kind, String body) throws SQLException {
    execute(
        "INSERT INTO input (kind, job_id, body) VALUES ('%s', NULL, '%s')".formatted(kind, body));
  }

  private static List<String> setAside(LiveServer server) {
    List<String> kinds = new ArrayList<>();
    for (SetAsideInput input : server.view().setAsideInputs().oldest(10)) {
      kinds.add(input.kind());
    }
    return kinds;
  }

  @Test
  void whatANewerServerWroteIsLeftUnconsumedAndEverythingElseGoesOn() throws Exception {
    try (LiveServer server = new LiveServer(database, database)) {
      server.setUp();
      server.submit("before");
      insert("TeleportJob", "{\"to\": \"mars\"}");
      insert("CancelJob", "{\"caller\": {\"name\": \"a\", \"team\": \"b\"}}");
      insert("SetFleet", "{\"executor\": \"QUANTUM\"}");
      server.submit("after");
      server.awaitSucceeded(2);
      server.await(UNCONSUMED, 3);
      assertThat(setAside(server)).containsExactly("TeleportJob", "CancelJob", "SetFleet");
      assertThat(server.view().watch().setAside().count(SetAsideCounts.Kind.INPUT))
          .isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void aLeaderThatCanReadItConsumesIt() throws Exception {
    try (LiveServer server = new LiveServer(database, database)) {
      server.setUp();
      server.submit("before");
      server.awaitSucceeded(1);
      insert("HoldAll", "{\"host\": \"none\"}");
      server.submit("after");
      server.awaitSucceeded(2);
      server.await(UNCONSUMED, 1);
    }
    execute(
        "UPDATE input SET kind = 'ReturnSlice', body = '{\"slice\": \"none\"}'"
            + " WHERE kind = 'HoldAll'");
    try (LiveServer next = new LiveServer(database, database)) {
      next.await(UNCONSUMED, 0);
      assertThat(setAside(next)).isEmpty();
    }
  }

  /** A queue is never removed under live attempts by a request; nothing stops a row from it. */
  @Test
  void anInputWithWhichARoundFailsIsSetAsideAlone() throws Exception {
    try (LiveServer server = new LiveServer(database, database)) {
      server.setUp();
      server.submit("long", "PT10M");
      server.await("SELECT count(*) FROM attempt WHERE state = 'RUNNING'", 1);
      List<Input> inputs = new ArrayList<>();
      JobId unknown = JobId.parse("01a1fd32-2207-7081-8b8b-396e83942357");
      inputs.add(new Input.CancelJob(unknown, "test"));
      inputs.add(new Input.RemoveObject(new ObjectKey(ObjectKind.CLUSTER_QUEUE, "", "chips")));
      inputs.add(new Input.CancelJob(unknown, "test"));
      new InputWriter(database).append(inputs);
      server.submit("after");
      server.awaitSucceeded(1);
      server.await(UNCONSUMED, 1);
      assertThat(server.ask(UNCONSUMED + " AND kind = 'RemoveObject'")).isEqualTo(1);
      assertThat(server.view().setAsideInputs().oldest(1).get(0).reason())
          .contains("ClusterQueue chips still has live attempts");
    }
  }
}
