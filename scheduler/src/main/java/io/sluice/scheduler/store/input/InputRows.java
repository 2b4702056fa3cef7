// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import io.sluice.admission.Journal;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.JournalRow;
import io.sluice.scheduler.store.RowPack;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/** The rows of inputs. Any server writes them; the leader reads them. */
public final class InputRows {
  /** The notification channel for commits of inputs. */
  public static final String CHANNEL = "sluice_input";

  static final String SUBMIT_JOB = "SubmitJob";
  private static final String CANCEL_JOB = "CancelJob";
  private static final String HOLD_JOB = "HoldJob";
  private static final String RELEASE_JOB = "ReleaseJob";
  private static final String PRIORITIZE_JOB = "PrioritizeJob";
  private static final String GIVE_HEAD_START = "GiveHeadStart";
  private static final String LIMIT_JOB = "LimitJob";
  private static final String CONFIRM_LOST = "ConfirmLost";
  private static final String SET_OBJECT = "SetObject";
  private static final String REMOVE_OBJECT = "RemoveObject";
  private static final String SET_FLEET = "SetFleet";
  private static final String REPORT = "Report";
  private static final String RECORD_RUN = "RecordRun";
  private static final String GRANT_SLICES = "GrantSlices";
  private static final String REFUSE_SLICES = "RefuseSlices";
  private static final String RECLAIM_SLICE = "ReclaimSlice";
  private static final String RETURN_SLICE = "ReturnSlice";

  private static final String APPEND =
      """
      INSERT INTO input (kind, job_id, body)
      SELECT kind, job_id, body::jsonb
      FROM unnest(?::text[], ?::uuid[], ?::text[]) WITH ORDINALITY AS u (kind, job_id, body, place)
      ORDER BY place
      """;
  private static final String ALL =
      """
      SELECT i.id AS input_id, i.kind, i.job_id AS input_job, i.body, %s
      FROM input i LEFT JOIN %%s j ON i.kind = 'SubmitJob' AND j.id = i.job_id
      """
          .formatted(WorkloadRows.COLUMNS);
  private static final String WAITING = ALL.formatted("job");
  private static final String READ =
      WAITING
          + "WHERE i.shard = ? AND i.consumed_by IS NULL AND i.id <> ALL (?) ORDER BY i.id LIMIT ?";
  private static final String CONSUMED_BY =
      ALL.formatted("any_job")
          + "WHERE i.shard = ? AND i.id BETWEEN ? AND ? AND i.consumed_by = ? ORDER BY i.id";
  private static final String CONSUME =
      """
      WITH consumed AS (
        DELETE FROM input WHERE shard = ? AND id = ANY (?) AND consumed_by IS NULL
        RETURNING id, kind, job_id, body)
      SELECT kind, job_id, body FROM consumed ORDER BY id
      """;
  private static final String OF_TRANSACTION =
      WAITING + "WHERE i.consumed_by IS NULL AND i.xmin = pg_current_xact_id()::xid ORDER BY i.id";
  private static final String EDITS_WAIT =
      """
      SELECT EXISTS (SELECT FROM input
          WHERE shard = ? AND consumed_by IS NULL AND kind IN ('SetObject', 'RemoveObject')),
        (SELECT coalesce(max(sequence), 0) FROM batch WHERE shard = ?)
      """;

  private record SubmitBody(boolean hold) {}

  private record CancelBody(String caller) {}

  private record ObjectBody(QuotaObject object, long generation) {}

  /** Converts each kind of input to its columns. */
  private static final class ToRow implements Input.Fold<JournalRow> {
    @Override
    public JournalRow submitJob(Input.SubmitJob input) {
      String body = JournalJson.write(new SubmitBody(input.hold()));
      return new JournalRow(SUBMIT_JOB, input.workload().id(), body);
    }

    @Override
    public JournalRow cancelJob(Input.CancelJob input) {
      return new JournalRow(
          CANCEL_JOB, input.job(), JournalJson.write(new CancelBody(input.caller())));
    }

    @Override
    public JournalRow holdJob(Input.HoldJob input) {
      return new JournalRow(HOLD_JOB, input.job(), JournalJson.write(input));
    }

    @Override
    public JournalRow releaseJob(Input.ReleaseJob input) {
      return new JournalRow(RELEASE_JOB, input.job(), JournalJson.write(input));
    }

    @Override
    public JournalRow prioritizeJob(Input.PrioritizeJob input) {
      return new JournalRow(PRIORITIZE_JOB, input.job(), JournalJson.write(input));
    }

    @Override
    public JournalRow giveHeadStart(Input.GiveHeadStart input) {
      return new JournalRow(GIVE_HEAD_START, input.job(), JournalJson.write(input));
    }

    @Override
    public JournalRow limitJob(Input.LimitJob input) {
      return new JournalRow(LIMIT_JOB, input.job(), JournalJson.write(input));
    }

    @Override
    public JournalRow confirmLost(Input.ConfirmLost input) {
      return new JournalRow(CONFIRM_LOST, input.attempt().job(), JournalJson.write(input));
    }

    @Override
    public JournalRow setObject(Input.SetObject input) {
      String body = JournalJson.write(new ObjectBody(input.object(), input.generation()));
      return new JournalRow(SET_OBJECT, null, body);
    }

    @Override
    public JournalRow removeObject(Input.RemoveObject input) {
      return new JournalRow(REMOVE_OBJECT, null, JournalJson.write(input.key()));
    }

    @Override
    public JournalRow setFleet(Input.SetFleet input) {
      return new JournalRow(SET_FLEET, null, JournalJson.write(input.fleet()));
    }

    @Override
    public JournalRow report(Input.Report input) {
      return new JournalRow(
          REPORT, input.report().attempt().job(), JournalJson.write(input.report()));
    }

    @Override
    public JournalRow recordRun(Input.RecordRun input) {
      return new JournalRow(RECORD_RUN, null, JournalJson.write(input.change()));
    }

    @Override
    public JournalRow grantSlices(Input.GrantSlices input) {
      return new JournalRow(GRANT_SLICES, input.rung().job(), JournalJson.write(input));
    }

    @Override
    public JournalRow refuseSlices(Input.RefuseSlices input) {
      return new JournalRow(REFUSE_SLICES, input.rung().job(), JournalJson.write(input));
    }

    @Override
    public JournalRow reclaimSlice(Input.ReclaimSlice input) {
      return new JournalRow(RECLAIM_SLICE, null, JournalJson.write(input));
    }

    @Override
    public JournalRow returnSlice(Input.ReturnSlice input) {
      return new JournalRow(RETURN_SLICE, null, JournalJson.write(input));
    }
  }

  private InputRows() {}

  /**
   * Inserts inputs and notifies the leader at the commit. Submissions are not among them: they are
   * inserted with their jobs.
   */
  public static void append(Connection connection, List<Input> inputs) throws SQLException {
    insert(connection, inputs);
    tell(connection);
  }

  /** Inserts inputs as {@link #append} does; the leader is woken by the caller. */
  static void insert(Connection connection, List<Input> inputs) throws SQLException {
    List<JournalRow> rows = inputs.stream().map(input -> input.fold(new ToRow())).toList();
    try (PreparedStatement insert = connection.prepareStatement(APPEND)) {
      JournalRow.bind(new Columns<>(connection, insert, 1, rows));
      insert.executeUpdate();
    }
  }

  /**
   * Notifies the leader at the commit of a transaction. Only for rare ones, since their commits
   * wait for each other; see {@link io.sluice.scheduler.notification.WakeUps}.
   */
  public static void tell(Connection connection) throws SQLException {
    try (PreparedStatement tell = connection.prepareStatement("SELECT pg_notify(?, '')")) {
      tell.setString(1, CHANNEL);
      tell.execute();
    }
  }

  /**
   * Unconsumed inputs, in the order of their ids. Sets inputs aside that this server cannot read.
   *
   * @param known ids of inputs that are being consumed; they are left out
   */
  static List<Journal.Received> read(
      Connection connection,
      Set<Long> known,
      SetAsideInputs setAside,
      int most,
      WorkloadRows workloads)
      throws SQLException {
    TreeSet<Long> leftOut = new TreeSet<>(known);
    leftOut.addAll(setAside.ids());
    List<Journal.Received> received = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(READ)) {
      select.setShort(1, Leadership.SHARD);
      select.setArray(2, connection.createArrayOf("int8", leftOut.toArray(Long[]::new)));
      select.setInt(3, most);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          long id = row.getLong("input_id");
          try {
            received.add(new Journal.Received(id, input(row, workloads)));
          } catch (RuntimeException unreadable) {
            setAside.add(id, row.getString("kind"), String.valueOf(unreadable.getMessage()));
          }
        }
      }
    }
    return received;
  }

  /**
   * Deletes inputs because the batch of this transaction consumes them, and returns what they were
   * as a pack, in the order of their ids.
   *
   * @throws StoreException if not all of them are there
   */
  public static byte[] consume(Connection connection, List<Long> ids) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(CONSUME)) {
      delete.setShort(1, Leadership.SHARD);
      delete.setArray(2, connection.createArrayOf("int8", ids.toArray(Long[]::new)));
      List<JournalRow> consumed = Columns.readAll(delete, row -> JournalRow.read(row, "job_id"));
      if (consumed.size() != ids.size()) {
        throw new StoreException(
            "of %d inputs %d were not consumed before".formatted(ids.size(), consumed.size()));
      }
      return RowPack.write(consumed);
    }
  }

  /** The inputs of a pack, in the order of consumption. */
  public static List<Input> unpacked(byte[] pack, WorkloadRows workloads) throws SQLException {
    List<JournalRow> rows = RowPack.read(pack);
    Map<JobId, Workload> submitted =
        workloads.find(
            rows.stream()
                .filter(row -> row.kind().equals(SUBMIT_JOB))
                .map(JournalRow::job)
                .toList());
    List<Input> inputs = new ArrayList<>();
    for (JournalRow row : rows) {
      inputs.add(
          row.kind().equals(SUBMIT_JOB)
              ? submission(Objects.requireNonNull(submitted.get(row.job())), row.body())
              : input(row));
    }
    return inputs;
  }

  /**
   * The inputs that a batch of an earlier version consumed, in the order of consumption.
   *
   * @param first id of the first of them
   * @param last id of the last of them
   */
  public static List<Input> consumedBy(
      Connection connection, long sequence, long first, long last, WorkloadRows workloads)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(CONSUMED_BY)) {
      select.setShort(1, Leadership.SHARD);
      select.setLong(2, first);
      select.setLong(3, last);
      select.setLong(4, sequence);
      return Columns.readAll(select, row -> input(row, workloads));
    }
  }

  /** The inputs that a connection's transaction has written so far, in their order. */
  public static List<Input> ofTransaction(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(OF_TRANSACTION)) {
      WorkloadRows workloads = WorkloadRows.reader(connection);
      return Columns.readAll(select, row -> input(row, workloads));
    }
  }

  /**
   * The sequence of the last batch, if all durable edits of quota objects are consumed by then;
   * empty if some are not.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public static OptionalLong editsConsumedBy(DataSource database) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(EDITS_WAIT)) {
      select.setShort(1, Leadership.SHARD);
      select.setShort(2, Leadership.SHARD);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getBoolean(1) ? OptionalLong.empty() : OptionalLong.of(row.getLong(2));
      }
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read inputs", failure);
    }
  }

  private static Input input(ResultSet row, WorkloadRows workloads) throws SQLException {
    JournalRow input = JournalRow.read(row, "input_job");
    return input.kind().equals(SUBMIT_JOB)
        ? submission(workloads.read(row), input.body())
        : input(input);
  }

  private static Input submission(Workload workload, String body) {
    // Nearly all jobs are not held; skip the parser for the million bodies that are empty.
    boolean hold = !body.equals("{}") && JournalJson.read(body, SubmitBody.class).hold();
    return new Input.SubmitJob(workload, hold);
  }

  private static Input input(JournalRow row) {
    String body = row.body();
    return switch (row.kind()) {
      case CANCEL_JOB ->
          new Input.CancelJob(
              Objects.requireNonNull(row.job()), JournalJson.read(body, CancelBody.class).caller());
      case HOLD_JOB -> JournalJson.read(body, Input.HoldJob.class);
      case RELEASE_JOB -> JournalJson.read(body, Input.ReleaseJob.class);
      case PRIORITIZE_JOB -> JournalJson.read(body, Input.PrioritizeJob.class);
      case GIVE_HEAD_START -> JournalJson.read(body, Input.GiveHeadStart.class);
      case LIMIT_JOB -> JournalJson.read(body, Input.LimitJob.class);
      case CONFIRM_LOST -> JournalJson.read(body, Input.ConfirmLost.class);
      case SET_OBJECT -> {
        ObjectBody object = JournalJson.read(body, ObjectBody.class);
        yield new Input.SetObject(object.object(), object.generation());
      }
      case REMOVE_OBJECT -> new Input.RemoveObject(JournalJson.read(body, ObjectKey.class));
      case SET_FLEET -> new Input.SetFleet(JournalJson.read(body, Fleet.class));
      case REPORT -> new Input.Report(JournalJson.read(body, AttemptReport.class));
      case RECORD_RUN -> new Input.RecordRun(JournalJson.read(body, Event.RunChanged.class));
      case GRANT_SLICES -> JournalJson.read(body, Input.GrantSlices.class);
      case REFUSE_SLICES -> JournalJson.read(body, Input.RefuseSlices.class);
      case RECLAIM_SLICE -> JournalJson.read(body, Input.ReclaimSlice.class);
      case RETURN_SLICE -> JournalJson.read(body, Input.ReturnSlice.class);
      default -> throw new StoreException("an input of unknown kind: " + row.kind());
    };
  }
}
