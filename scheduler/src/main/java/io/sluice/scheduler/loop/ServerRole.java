// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.lifecycle.LeaderPart;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.LeaderRow;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The role of this server, leader or follower. A follower applies the leader's batches to its view
 * until it gets the lease; a leader works until another server leads, and then follows again. One
 * thread does both, so that a server is never both at once.
 */
public final class ServerRole implements Part {
  /** Period of a follower's poll of the journal and the lease. */
  private static final Duration POLL = Duration.ofMillis(500);

  /** Period of the poll of a server that cannot read what is stored. */
  private static final Duration UNREADABLE_POLL = Duration.ofSeconds(5);

  private static final Duration SHORTEST_POLL = Duration.ofMillis(5);
  private static final Logger LOG = Logger.getLogger(ServerRole.class);

  private final DataSource database;
  private final Candidate self;
  private final CommittedView view;
  private final LeaderWork work;
  private final List<LeaderPart> parts;
  private final Consumer<String> whenFailed;
  private final JournalTail tail;
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "server-role");
  private volatile @Nullable Lead leading;
  private volatile @Nullable LeaderRow leader;
  private volatile @Nullable String unreadable;
  private volatile boolean closed;

  /** The work of one leadership: the lease, its renewal, and the decision loop with its parts. */
  private record Lead(Leadership lead, LeaseRenewal renewal, LeaderWork.Begun work) {}

  /**
   * A server without a role.
   *
   * @param parts told when this server begins and ceases to lead
   * @param whenFailed told the reason if this server can neither lead nor follow
   */
  public ServerRole(
      DataSource database,
      Candidate self,
      CommittedView view,
      LeaderWork work,
      List<LeaderPart> parts,
      Consumer<String> whenFailed) {
    this.database = database;
    this.self = self;
    this.view = view;
    this.work = work;
    this.parts = List.copyOf(parts);
    this.whenFailed = whenFailed;
    this.tail = new JournalTail(database, view);
  }

  @Override
  public StartOrder place() {
    return StartOrder.ROLE;
  }

  /**
   * Loads the view, and leads if no other server does; otherwise this server follows.
   *
   * @throws StoreException if the database cannot be read
   */
  @Override
  public void start() {
    view.load(database);
    follow();
    thread.start();
  }

  /** Wakes the follower: a batch was committed, or the leader released its lease. */
  public void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  /** Wakes the decision loop: there are new inputs. */
  public void wakeLoop() {
    Lead now = leading;
    if (now != null) {
      now.work().wake();
    }
  }

  /** Whether this server leads and may act: its lease is not about to expire. */
  public boolean leads() {
    Lead now = leading;
    return now != null && now.lead().holds();
  }

  /** Whether the state was loaded, and this server leads or follows. */
  public boolean isRunning() {
    return thread.isAlive() && unreadable == null;
  }

  /** The leader as last read by this server; null if there never was one. */
  public @Nullable LeaderRow leader() {
    return leader;
  }

  private void run() {
    Duration pause = Duration.ZERO;
    while (!closed) {
      try {
        wake.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
        wake.drainPermits();
        pause = closed ? POLL : next();
      } catch (TransientStoreException | LostEpochException failure) {
        LOG.warn(failure.getMessage());
        pause = POLL;
      } catch (InterruptedException interrupted) {
        closed = true;
      } catch (RuntimeException failure) {
        pause = cannotFollow(failure);
      } catch (Error failure) {
        LOG.error("this server can neither lead nor follow", failure);
        whenFailed.accept(String.valueOf(failure.getMessage()));
        closed = true;
      }
    }
  }

  /**
   * Called if the stored state cannot be read, as another version may have written it. Others can
   * lead; this server is not ready and tries again.
   */
  private Duration cannotFollow(RuntimeException failure) {
    String reason = String.valueOf(failure.getMessage());
    if (!reason.equals(unreadable)) {
      LOG.error("this server can neither lead nor follow, and tries again", failure);
    }
    unreadable = reason;
    return UNREADABLE_POLL;
  }

  private Duration next() {
    Lead now = leading;
    if (now == null) {
      Duration pause = follow();
      unreadable = null;
      return pause;
    }
    if (now.lead().lost() != null) {
      LOG.warnf("this server follows: %s", now.lead().lost().getMessage());
      end(now);
      return Duration.ZERO;
    }
    return POLL;
  }

  /**
   * Applies new batches, and takes the lease if it is free.
   *
   * @return the time until the next call
   */
  private Duration follow() {
    tail.catchUp();
    LeaderRow row = readLeader();
    leader = row;
    if (row != null && !row.isOpenTo(self)) {
      Duration soonest = row.left().compareTo(SHORTEST_POLL) > 0 ? row.left() : SHORTEST_POLL;
      return soonest.compareTo(POLL) < 0 ? soonest : POLL;
    }
    Leadership lead = Leadership.take(database, self);
    if (lead != null) {
      begin(lead);
    }
    return POLL;
  }

  private @Nullable LeaderRow readLeader() {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      return LeaderRow.read(connection);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the leader", failure);
    }
  }

  /**
   * Begins to lead. No batch of an older epoch can be added any more, so the journal's end is
   * final.
   */
  private void begin(Leadership lead) {
    LeaseRenewal renewal = new LeaseRenewal(database, lead, self.renewalPeriod(), this::wake);
    LeaderWork.Begun begun = null;
    try {
      tail.catchUpToTheEnd();
      begun = work.begin(lead, reason -> ended(lead, reason));
    } finally {
      if (begun == null) {
        renewal.close();
        lead.close();
      }
    }
    leader = new LeaderRow(lead.epoch(), self.holder(), self.url(), self.lease());
    leading = new Lead(lead, renewal, begun);
    parts.forEach(part -> part.beginLeading(lead));
    LOG.infof("this server leads, epoch %d, from sequence %d", lead.epoch(), view.sequence());
  }

  /** Called when the decision loop has ended by itself. */
  private void ended(Leadership lead, String reason) {
    if (lead.lost() == null) {
      whenFailed.accept(reason);
    }
    wake();
  }

  private void end(Lead now) {
    try {
      now.work().close();
    } finally {
      leading = null;
      parts.forEach(LeaderPart::endLeading);
      now.renewal().close();
    }
  }

  /** Ends the role; decisions are committed, and the lease is released at once. */
  @Override
  public void close() {
    closed = true;
    wake();
    ThreadEnd.await(thread, this::endLead);
  }

  private void endLead() {
    Lead now = leading;
    if (now != null) {
      end(now);
      now.lead().close();
    }
    tail.close();
  }
}
