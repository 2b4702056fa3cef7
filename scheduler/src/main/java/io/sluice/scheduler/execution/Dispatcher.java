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
 * Hands what is durable to the executor, in order, in a thread of its own: the loop never waits for
 * what a start needs to be read. What is queued is bounded by the attempts there can be.
 *
 * <p>Nothing is handed over while the lease does not hold, and nothing at all once another server
 * leads: it dispatches what is left.
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

  /** Something to be done about an attempt; the grace period is of a stop. */
  private record Command(AttemptKey attempt, int generation, Kind kind, Duration grace) {}

  private final Executor executor;
  private final AttemptReader attempts;
  private final DispatchRows dispatches;
  private final Leadership lead;
  private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  /** Begins to hand over what comes. */
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
   * Has the executor deal with what an earlier server left.
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

  /** Whether no other executor was given the attempt; else it is unconfirmed. */
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
        LOG.warnf("nothing is dispatched any more: %s", lost.getMessage());
        return;
      } catch (InterruptedException interrupted) {
        return;
      }
    }
  }

  /** A batch with what the database knows of it. */
  private record Known(Map<AttemptKey, Launch> launches, Map<AttemptKey, String> executors) {}

  private void dispatch(List<Command> batch) throws InterruptedException {
    Known known;
    try {
      known = knownInTime(keys(batch, Kind.START), keys(batch, Kind.STOP));
    } catch (LostEpochException lost) {
      throw lost;
    } catch (RuntimeException failure) {
      // Something that cannot be read, as a manifest of another version: the others go on.
      LOG.errorf(failure, "%d commands could not be prepared", batch.size());
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
        // One attempt's trouble is not the others'; the executor reports its own.
        LOG.errorf(failure, "attempt %s could not be dispatched", command.attempt());
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
        // Without a row, or by its state, it has meanwhile been told to end.
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

  /** A lease that is not renewed in time may be so later, unless another server leads by then. */
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

  /** As soon as the database gives it and says that this epoch still leads. */
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
