// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.scheduler.submission.Submitters;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Shapes by number, on PostgreSQL. */
class ShapeRowsTest {
  private static WorkloadShape shape(int cpu) {
    String job =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: a, namespace: team}
        spec: {queue: main, command: ["true"], requests: {cpu: %d}}
        """;
    return ManifestReader.readJob(job.formatted(cpu)).shape();
  }

  private static List<Long> write(Submitters database, List<WorkloadShape> shapes)
      throws Exception {
    try (Connection connection = database.database().getConnection()) {
      connection.setAutoCommit(false);
      List<Long> ids = new ShapeRows().idsOf(connection, shapes);
      connection.commit();
      return ids;
    }
  }

  @Test
  void eachShapeHasOneNumberHoweverOftenItIsAskedFor() throws Exception {
    try (Submitters database = Submitters.create()) {
      List<Long> ids = write(database, List.of(shape(1), shape(2), shape(1)));
      assertThat(ids.get(0)).isEqualTo(ids.get(2)).isNotEqualTo(ids.get(1));
      assertThat(write(database, List.of(shape(3), shape(2))).get(1)).isEqualTo(ids.get(1));
      assertThat(database.ask("SELECT count(*) FROM workload_shape")).isEqualTo(3);
    }
  }

  @Test
  void whatIsRolledBackIsForgotten() throws Exception {
    try (Submitters database = Submitters.create();
        Connection connection = database.database().getConnection()) {
      connection.setAutoCommit(false);
      ShapeRows shapes = new ShapeRows();
      shapes.idsOf(connection, List.of(shape(1)));
      connection.rollback();
      shapes.forget();
      long id = shapes.idsOf(connection, List.of(shape(1))).get(0);
      connection.commit();
      assertThat(database.ask("SELECT min(id) FROM workload_shape")).isEqualTo(id);
    }
  }

  @Test
  void twoThatWriteTheSameShapesInOppositeOrdersDoNotStopEachOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Submitters database = Submitters.create()) {
      CyclicBarrier together = new CyclicBarrier(2);
      for (int round = 0; round < 10; round++) {
        List<WorkloadShape> forward = new ArrayList<>();
        for (int one = 1; one <= 200; one++) {
          forward.add(shape(200 * round + one));
        }
        List<WorkloadShape> backward = new ArrayList<>(forward);
        Collections.reverse(backward);
        List<Callable<List<Long>>> both = new ArrayList<>();
        for (List<WorkloadShape> shapes : List.of(forward, backward)) {
          both.add(
              () -> {
                together.await(1, TimeUnit.MINUTES);
                return write(database, shapes);
              });
        }
        List<List<Long>> ids = new ArrayList<>();
        for (Future<List<Long>> one : threads.invokeAll(both)) {
          ids.add(one.get(2, TimeUnit.MINUTES));
        }
        Collections.reverse(ids.get(1));
        assertThat(ids.get(0)).isEqualTo(ids.get(1));
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
