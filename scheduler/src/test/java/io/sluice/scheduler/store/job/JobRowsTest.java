// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.submission.Submitters;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plan of the statement that inserts jobs, on PostgreSQL. */
class JobRowsTest {
  /** The plan for parameters that are not known, which is the one that a connection keeps. */
  private static List<String> plan(Statement statement) throws SQLException {
    int[] number = {0};
    String numbered =
        Pattern.compile("\\?").matcher(JobRows.INSERT).replaceAll(at -> "\\$" + ++number[0]);
    statement.execute("SET plan_cache_mode = force_generic_plan");
    statement.execute("PREPARE insertion AS " + numbered);
    String nulls = String.join(", ", Collections.nCopies(number[0], "NULL"));
    List<String> lines = new ArrayList<>();
    try (ResultSet line = statement.executeQuery("EXPLAIN EXECUTE insertion (" + nulls + ")")) {
      while (line.next()) {
        lines.add(line.getString(1));
      }
    }
    return lines;
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "off"}) // off in the pool of those who write for everybody
  void noPlanComparesEachPairOfJobs(String hashJoins) throws Exception {
    try (Submitters database = Submitters.create();
        Connection connection = database.database().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET enable_hashjoin = " + hashJoins);
      statement.execute("SET enable_mergejoin = " + hashJoins);

      List<String> plan = plan(statement);

      assertThat(plan).anyMatch(line -> line.contains("hashed SubPlan"));
      assertThat(plan).noneMatch(line -> line.contains("Nested Loop") || line.contains("Join"));
    }
  }
}
