// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts jobs in groups, by one statement. It groups the rows of jobs by their columns first, and
 * then looks up the team of each LocalQueue once.
 */
public final class JobCounter {
  /** Name of the column of a subquery that has the value of a label. */
  private static final String LABEL_VALUE = "label_value";

  private final DataSource database;

  public JobCounter(DataSource database) {
    this.database = database;
  }

  /** A property of jobs by which they are grouped. */
  public enum Dimension {
    STATE,
    /** The LocalQueue, as namespace and name with a slash between them. */
    QUEUE,
    CLUSTER_QUEUE,
    NAMESPACE,
    /** The present priority class; empty: none. */
    PRIORITY_CLASS,
    /** The team, as of {@link JobTeam}. */
    TEAM,
    /** The compute class that the job asks for; empty: none. */
    COMPUTE_CLASS,
    /** The value of the label of a {@link Grouping}; empty: the job does not have it. */
    LABEL;

    /** The columns of a job on which it depends. */
    private List<String> columns() {
      return switch (this) {
        case STATE -> List.of("state");
        case QUEUE, TEAM -> List.of("namespace", "local_queue");
        case CLUSTER_QUEUE -> List.of("cluster_queue");
        case NAMESPACE -> List.of("namespace");
        case PRIORITY_CLASS -> List.of("changed_priority_class", "priority_class");
        case COMPUTE_CLASS -> List.of("shape_id");
        case LABEL -> List.of(LABEL_VALUE);
      };
    }

    /** Its value, from the columns of jobs {@code c} with the joins of their team. */
    private String expression() {
      return switch (this) {
        case STATE -> "c.state";
        case QUEUE -> "c.namespace || '/' || c.local_queue";
        case CLUSTER_QUEUE -> "c.cluster_queue";
        case NAMESPACE -> "c.namespace";
        case PRIORITY_CLASS -> "coalesce(c.changed_priority_class, c.priority_class, '')";
        case COMPUTE_CLASS -> "coalesce(w.body ->> 'computeClass', '')";
        case LABEL -> "coalesce(c." + LABEL_VALUE + ", '')";
        case TEAM -> JobTeam.expression("c");
      };
    }
  }

  /**
   * The properties by which jobs are grouped.
   *
   * @param label key of the label whose value is {@link Dimension#LABEL}; null if it is not among
   *     the dimensions
   */
  public record Grouping(Set<Dimension> dimensions, @Nullable String label) {
    public Grouping {
      dimensions = Collections.unmodifiableSet(dimensions);
      if (dimensions.contains(Dimension.LABEL) != (label != null)) {
        throw new IllegalArgumentException("label %s of %s".formatted(label, dimensions));
      }
    }

    /** The properties without a label. */
    public static Grouping of(Set<Dimension> dimensions) {
      return new Grouping(dimensions, null);
    }

    private List<Dimension> sorted() {
      return dimensions.stream().sorted().toList();
    }
  }

  /**
   * The number of jobs with the same values.
   *
   * @param values of the dimensions by which the jobs are grouped
   * @param oldest when the oldest of them was submitted
   */
  public record Group(Map<Dimension, String> values, long count, Instant oldest) {
    public Group {
      values = Collections.unmodifiableMap(new EnumMap<>(values));
    }
  }

  /**
   * A job that waits.
   *
   * @param values of the dimensions by which the jobs are grouped
   */
  public record Waiting(JobId id, Map<Dimension, String> values, Instant submitted) {}

  /**
   * Counts the jobs of a filter.
   *
   * @param by at least one dimension
   * @param most returns at most this number of groups
   * @return the groups that have jobs, ordered by their values
   * @throws TransientStoreException if the database does not answer
   */
  public List<Group> count(JobFilter filter, Grouping by, int most) {
    JobConditions conditions = JobConditions.of(filter);
    List<Dimension> dimensions = by.sorted();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql(dimensions, conditions, most))) {
      bind(select, by, conditions);
      return Columns.readAll(select, row -> group(row, dimensions));
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot count jobs", failure);
    }
  }

  /**
   * The waiting jobs of a filter with the values by which they are grouped. Jobs of the same
   * LocalQueue and shape follow one another.
   *
   * @param by may be empty
   * @param most returns at most this number of jobs
   * @throws TransientStoreException if the database does not answer
   */
  public List<Waiting> waiting(JobFilter filter, Grouping by, int most) {
    if (!filter.states().isEmpty() && !filter.states().contains(JobState.PENDING)) {
      return List.of();
    }
    JobConditions conditions = JobConditions.of(filter.withStates(List.of(JobState.PENDING)));
    List<Dimension> dimensions = by.sorted();
    // Few values for many jobs.
    Map<Map<Dimension, String>, Map<Dimension, String>> known = new HashMap<>();
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(waitingSql(dimensions, conditions.sql(), most))) {
      bind(select, by, conditions);
      return Columns.readAll(
          select,
          row -> {
            Map<Dimension, String> values = values(row, dimensions);
            Map<Dimension, String> same = known.putIfAbsent(values, values);
            JobId id = new JobId(row.getObject(dimensions.size() + 1, UUID.class));
            return new Waiting(id, same == null ? values : same, Columns.time(row, "created_at"));
          });
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot list waiting jobs", failure);
    }
  }

  private static void bind(PreparedStatement select, Grouping by, JobConditions conditions)
      throws SQLException {
    if (by.label() != null) {
      select.setString(1, by.label());
    }
    conditions.bind(select, by.label() == null ? 1 : 2);
  }

  /** The columns as they are selected. */
  private static String selected(Set<String> columns) {
    return String.join(", ", columns).replace(LABEL_VALUE, "labels ->> ? AS " + LABEL_VALUE);
  }

  private static Set<String> columns(List<Dimension> dimensions) {
    Set<String> columns = new LinkedHashSet<>();
    dimensions.forEach(dimension -> columns.addAll(dimension.columns()));
    return columns;
  }

  private static String waitingSql(List<Dimension> dimensions, String condition, int most) {
    Set<String> columns = columns(dimensions);
    columns.addAll(List.of("namespace", "local_queue", "shape_id", "id", "created_at"));
    List<String> expressions =
        new ArrayList<>(dimensions.stream().map(Dimension::expression).toList());
    expressions.add("c.id");
    expressions.add("c.created_at");
    return """
        SELECT %2$s
        FROM (SELECT %1$s FROM job j WHERE %3$s LIMIT %5$d) c
        %4$s
        ORDER BY c.namespace, c.local_queue, c.shape_id, c.id
        """
        .formatted(
            selected(columns), String.join(", ", expressions), condition, joins(dimensions), most);
  }

  private static String sql(List<Dimension> dimensions, JobConditions conditions, int most) {
    Set<String> columns = columns(dimensions);
    List<String> expressions = new ArrayList<>();
    List<String> places = new ArrayList<>();
    for (Dimension dimension : dimensions) {
      expressions.add(dimension.expression());
      places.add(Integer.toString(places.size() + 1));
    }
    return """
        SELECT %2$s, sum(c.jobs)::bigint, min(c.oldest) AS oldest
        FROM (
          SELECT %7$s, count(*) AS jobs, min(created_at) AS oldest
          FROM %8$s j WHERE %3$s GROUP BY %1$s
        ) c
        %4$s
        GROUP BY %5$s ORDER BY %5$s LIMIT %6$d
        """
        .formatted(
            String.join(", ", columns),
            String.join(", ", expressions),
            conditions.sql(),
            joins(dimensions),
            String.join(", ", places),
            most,
            selected(columns),
            conditions.table());
  }

  private static String joins(List<Dimension> dimensions) {
    String shape =
        dimensions.contains(Dimension.COMPUTE_CLASS)
            ? "JOIN workload_shape w ON w.id = c.shape_id "
            : "";
    return shape + (dimensions.contains(Dimension.TEAM) ? JobTeam.joins("c") : "");
  }

  private static Group group(ResultSet row, List<Dimension> dimensions) throws SQLException {
    return new Group(
        values(row, dimensions), row.getLong(dimensions.size() + 1), Columns.time(row, "oldest"));
  }

  private static Map<Dimension, String> values(ResultSet row, List<Dimension> dimensions)
      throws SQLException {
    Map<Dimension, String> values = new EnumMap<>(Dimension.class);
    for (int at = 0; at < dimensions.size(); at++) {
      values.put(dimensions.get(at), row.getString(at + 1));
    }
    return values;
  }
}
