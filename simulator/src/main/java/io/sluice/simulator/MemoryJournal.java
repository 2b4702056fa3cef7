// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.AdmissionRound;
import io.sluice.admission.Journal;
import io.sluice.simulator.fault.FaultKind;
import io.sluice.simulator.fault.FaultPlan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One server's journal on the store. Batches are committed one after another while the server goes
 * on. A commit whose outcome is unknown is settled by reading which batch is durable; when another
 * server leads or a batch is refused, the journal says so at every further call.
 */
final class MemoryJournal implements Journal {
  private static final Duration WAY = Duration.ofMillis(20);
  private static final Duration LONG_WAY = Duration.ofSeconds(40);
  private static final Duration SILENCE = Duration.ofSeconds(10);

  /** The server that it serves. */
  interface Owner {
    /** There is something to take. */
    void wake();

    /** The server ends at once. */
    void die(FaultKind how);
  }

  private final VirtualWorld world;
  private final long epoch;
  private final Owner owner;
  private final TreeSet<Long> consuming = new TreeSet<>();
  private final Deque<Batch> toCommit = new ArrayDeque<>();
  private final List<Batch> committed = new ArrayList<>();
  private @Nullable RuntimeException failure;
  private boolean closed;
  private boolean onItsWay;

  MemoryJournal(VirtualWorld world, long epoch, Owner owner) {
    this.world = world;
    this.epoch = epoch;
    this.owner = owner;
  }

  @Override
  public List<Received> read(int most) {
    checkNotFailed();
    if (world.plan().strikes(FaultKind.READ_FAILED)) {
      throw new UnansweredException();
    }
    List<Received> received = world.store().unconsumed(consuming, most);
    received.forEach(input -> consuming.add(input.id()));
    return received;
  }

  @Override
  public void append(Batch batch) {
    checkNotFailed();
    if (toCommit.size() >= AdmissionRound.IN_FLIGHT_MAX) {
      throw new IllegalStateException("more than two batches are on their way");
    }
    if (world.plan().strikes(FaultKind.CRASH_BEFORE_COMMIT)) {
      throw new ServerDiedException(FaultKind.CRASH_BEFORE_COMMIT);
    }
    toCommit.addLast(batch);
    if (toCommit.size() == 1) {
      send(batch);
    }
  }

  @Override
  public List<Batch> takeCommitted() {
    checkNotFailed();
    List<Batch> taken = List.copyOf(committed);
    committed.clear();
    taken.forEach(batch -> consuming.removeAll(batch.inputs()));
    return taken;
  }

  private void checkNotFailed() {
    RuntimeException known = failure;
    if (known != null) {
      throw known;
    }
  }

  /** Takes nothing more. What is on its way to the database may arrive, if its server died. */
  void close(boolean died) {
    closed = true;
    onItsWay = died && world.plan().chance(50);
  }

  private void send(Batch batch) {
    boolean late = world.plan().strikes(FaultKind.COMMIT_DELAYED);
    world.agenda().in(world.plan().upTo(late ? LONG_WAY : WAY), () -> arrive(batch));
  }

  private void arrive(Batch batch) {
    if (closed && !onItsWay) {
      return;
    }
    FaultPlan plan = world.plan();
    if (plan.strikes(FaultKind.COMMIT_REFUSED)) {
      fail(new RefusedBatchException(batch.sequence()));
      return;
    }
    if (plan.strikes(FaultKind.COMMIT_LOST)) {
      settleLater(batch);
      return;
    }
    try {
      world.store().write(epoch, batch);
    } catch (LostEpochException lost) {
      fail(lost);
      return;
    }
    if (plan.strikes(FaultKind.COMMIT_UNANSWERED)) {
      settleLater(batch);
    } else {
      whenDurable(batch);
    }
  }

  private void settleLater(Batch batch) {
    world.agenda().in(world.plan().upTo(SILENCE), () -> settle(batch));
  }

  private void settle(Batch batch) {
    if (closed) {
      return;
    }
    try {
      if (world.store().isWritten(epoch, batch.sequence())) {
        whenDurable(batch);
      } else {
        arrive(batch);
      }
    } catch (LostEpochException lost) {
      fail(lost);
    }
  }

  private void whenDurable(Batch batch) {
    if (closed) {
      return;
    }
    toCommit.removeFirst();
    if (world.plan().strikes(FaultKind.CRASH_AFTER_COMMIT)) {
      owner.die(FaultKind.CRASH_AFTER_COMMIT);
      return;
    }
    committed.add(batch);
    if (!toCommit.isEmpty()) {
      send(toCommit.getFirst());
    }
    owner.wake();
  }

  private void fail(RuntimeException why) {
    failure = why;
    if (!closed) {
      owner.wake();
    }
  }
}
