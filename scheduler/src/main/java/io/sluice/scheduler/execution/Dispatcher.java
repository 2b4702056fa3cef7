// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.admission.Launcher;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.cluster.DispatchRows;
import io.sluice.scheduler.store.job.AttemptReader;
import io.sluice.scheduler.store.job.StoredAttempt;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Passes committed starts, stops and ends of attempts to the executor, in order, in its own thread.
 * The decision loop never waits for the reads that a start needs. The queue is bounded by the
 * number of attempts.
 *
 * <p>It passes nothing on while the lease does not hold. Once another server leads, it stops for
 * good: that server dispatches the rest.
 */
public final class Dispatcher implements Launcher, AutoCloseable {
  private static final int BATCH_MAX = 500;
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration LEASE_POLL = Duration.ofMillis(20);
  private static final Logger LOG = Logger.getLogger(Dispatcher.class);

  private enum Kind {
    START,
    STOP,
    ENDED
  }

  /** A call of the executor for an attempt; only a stop uses the grace period. */
  private record Command(AttemptKey attempt, int generation, Kind kind, Duration grace) {}

  private final Executor executor;
  private final AttemptReader attempts;
  private final DispatchRows dispatches;
  private final Leadership lead;
  private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  /** Starts the thread that dispatches. */
  public Dispatcher(Executor executor, DataSource database, Leadership lead) {
    this.executor = executor;
    this.attempts = new AttemptReader(database);
    this.dispatches = new DispatchRows(database);
    this.lead = lead;
    this.thread = new Thread(this::run, "dispatcher");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  /**
   * Lets the executor recover the attempts that an earlier server left.
   *
   * @param live all attempts that have not ended
   * @throws LostEpochException if another server leads
   */
  public void recover(List<AttemptKey> live) {
    dispatches.takeDetached(live, executor.id(), lead.epoch());
    Map<AttemptKey, String> executors = dispatches.find(live);
    List<AttemptKey> ours = live.stream().filter(key -> ours(key, executors)).toList();
    List<Launch> launches = List.copyOf(launches(ours).values());
    lead.check();
    executor.lead(lead);
    executor.recover(launches);
  }

  /** Whether the attempt was given to this executor; one of another executor is unconfirmed. */
  private boolean ours(AttemptKey attempt, Map<AttemptKey, String> executors) {
    String other = executors.getOrDefault(attempt, executor.id());
    if (!other.equals(executor.id())) {
      LOG.warnf(
          "attempt %s is unconfirmed: it was given to executor %s, and this server's is %s",
          attempt, other, executor.id());
    }
    return other.equals(executor.id());
  }

  @Override
  public void start(AttemptKey attempt, int generation) {
    commands.add(new Command(attempt, generation, Kind.START, Duration.ZERO));
  }

  @Override
  public void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
    commands.add(new Command(attempt, generation, Kind.STOP, gracePeriod));
  }

  @Override
  public void ended(AttemptKey attempt) {
    commands.add(new Command(attempt, 0, Kind.ENDED, Duration.ZERO));
  }

  private void run() {
    List<Command> batch = new ArrayList<>();
    while (!closed) {
      try {
        Command first = commands.poll(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          commands.drainTo(batch, BATCH_MAX - 1);
          dispatch(batch);
          batch.clear();
        }
      } catch (LostEpochException lost) {
        LOG.warnf("dispatching has stopped: %s", lost.getMessage());
        return;
      } catch (InterruptedException interrupted) {
        return;
      }
    }
  }

  /** The stored facts about the attempts of a batch. */
  private record Known(Map<AttemptKey, Launch> launches, Map<AttemptKey, String> executors) {}

  private void dispatch(List<Command> batch) throws InterruptedException {
    Known known;
    try {
      known = knownInTime(keys(batch, Kind.START), keys(batch, Kind.STOP));
    } catch (LostEpochException lost) {
      throw lost;
    } catch (RuntimeException failure) {
      // One attempt may be unreadable, such as a manifest of another version: try each alone.
      LOG.errorf(failure, "cannot read the attempts of %d commands", batch.size());
      for (Command command : batch.size() == 1 ? List.<Command>of() : batch) {
        dispatch(List.of(command));
      }
      return;
    }
    for (Command command : batch) {
      awaitLease();
      try {
        dispatch(command, known);
      } catch (RuntimeException failure) {
        // A failure of one attempt must not stop the others; the executor reports its own failures.
        LOG.errorf(failure, "cannot dispatch attempt %s", command.attempt());
      }
    }
  }

  private static List<AttemptKey> keys(List<Command> batch, Kind kind) {
    return batch.stream()
        .filter(command -> command.kind() == kind)
        .map(Command::attempt)
        .distinct()
        .toList();
  }

  private void dispatch(Command command, Known known) {
    AttemptKey attempt = command.attempt();
    switch (command.kind()) {
      case START -> {
        Launch launch = known.launches().get(attempt);
        // Without a row, or in a later state, the attempt has been told to end meanwhile.
        if (launch != null
            && (launch.state() == AttemptState.ADMITTED || launch.state() == AttemptState.RUNNING)
            && known.executors().containsKey(attempt)
            && ours(attempt, known.executors())) {
          executor.start(launch);
        }
      }
      case STOP -> {
        if (ours(attempt, known.executors())) {
          executor.stop(attempt, command.generation(), command.grace());
        }
      }
      case ENDED -> executor.ended(attempt);
    }
  }

  /**
   * Waits until the lease holds: a late renewal restores it, unless another server leads by then.
   */
  private void awaitLease() throws InterruptedException {
    while (!lead.holds()) {
      LostEpochException lost = lead.lost();
      if (lost != null) {
        throw lost;
      }
      if (closed) {
        throw new InterruptedException();
      }
      Thread.sleep(LEASE_POLL.toMillis());
    }
  }

  /** Reads the batch, retrying while the database is away, and checks that this epoch leads. */
  private Known knownInTime(List<AttemptKey> starts, List<AttemptKey> stops)
      throws InterruptedException {
    while (true) {
      try {
        dispatches.give(starts, executor.id(), lead.epoch());
        List<AttemptKey> both = Stream.concat(starts.stream(), stops.stream()).distinct().toList();
        Known known = new Known(launches(starts), dispatches.find(both));
        lead.check();
        return known;
      } catch (TransientStoreException failure) {
        if (closed) {
          throw new InterruptedException();
        }
        LOG.warn(failure.getMessage());
        Thread.sleep(RETRY.toMillis());
      }
    }
  }

  private Map<AttemptKey, Launch> launches(List<AttemptKey> keys) {
    Map<AttemptKey, Launch> launches = new TreeMap<>();
    for (StoredAttempt stored : attempts.find(keys)) {
      launches.put(
          stored.key(),
          new Launch(
              stored.key(),
              stored.generation(),
              stored.state(),
              stored.job(),
              stored.assignment(),
              new Launch.Earlier(
                  stored.earlier().ranFor(),
                  stored.earlier().checkpoint(),
                  stored.earlier().grace()),
              stored.documents(),
              stored.adopted()));
    }
    return launches;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(RETRY.multipliedBy(4).toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
