// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.scheduler.loop.BatchListener.PlacedEvent;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.job.JobPlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A journal in memory, with servers that follow it at their own pace. */
final class PaperJournal implements EventSource {
  static final int JOBS = 9;

  private final SplittableRandom random;
  private final List<List<PlacedEvent>> batches = new ArrayList<>();
  private long first = 1;

  PaperJournal(SplittableRandom random) {
    this.random = random;
  }

  /** A server's hub, told of batches as its view would tell it. */
  final class Server {
    private final EventHub hub = new EventHub(PaperJournal.this, new CommittedView());
    private long followed;

    EventHub hub() {
      return hub;
    }

    /** Takes in the next batch, or reads some from the database as a view that is loaded does. */
    void follow(SplittableRandom chance) {
      if (followed == batches.size()) {
        return;
      }
      if (chance.nextInt(8) == 0) {
        followed += 1 + chance.nextInt((int) (batches.size() - followed));
        hub.loaded(followed);
        return;
      }
      followed++;
      boolean known = hub.wantsEvents() && chance.nextInt(8) > 0;
      hub.tookIn(followed, at(followed), known ? batches.get((int) followed - 1) : null);
    }

    void followToTheEnd() {
      while (followed < batches.size()) {
        followed++;
        hub.tookIn(
            followed, at(followed), hub.wantsEvents() ? batches.get((int) followed - 1) : null);
      }
      boolean more = true;
      while (more) {
        more = hub.step();
      }
    }
  }

  Server server() {
    return new Server();
  }

  private static Instant at(long sequence) {
    return Instant.EPOCH.plusSeconds(sequence);
  }

  static JobId job(int number) {
    return new JobId(new UUID(0, number));
  }

  static UUID run(int number) {
    return new UUID(1, number);
  }

  private static JobPlace place(int job) {
    return new JobPlace("ns-" + job % 2, "job-" + job, "queue-" + job % 3, "cq-" + job % 3 % 2);
  }

  /** Appends a batch of random events. */
  void commit(int events) {
    List<PlacedEvent> batch = new ArrayList<>();
    for (int event = 0; event < events; event++) {
      batch.add(event());
    }
    batches.add(batch);
  }

  private PlacedEvent event() {
    int number = random.nextInt(JOBS);
    JobId job = job(number);
    AttemptKey attempt = new AttemptKey(job, 0, 1 + random.nextInt(2));
    return switch (random.nextInt(8)) {
      case 0 -> new PlacedEvent(new Event.JobHeld(job, "me"), place(number));
      case 1 -> new PlacedEvent(new Event.AttemptStarted(attempt), place(number));
      case 2 ->
          new PlacedEvent(
              new Event.AttemptEnded(attempt, AttemptOutcome.SUCCEEDED, null, ""), place(number));
      case 3 -> new PlacedEvent(new Event.JobFinished(job, JobState.SUCCEEDED, ""), place(number));
      case 4 -> new PlacedEvent(new SliceEvent.SliceLost("slice-" + number), null);
      case 5 ->
          new PlacedEvent(
              new Event.ObjectRemoved(
                  new ObjectKey(ObjectKind.LOCAL_QUEUE, "ns-0", "queue-" + number % 3)),
              null);
      case 6 ->
          new PlacedEvent(
              new Event.RunChanged(
                  run(number), "ns-" + number % 2, "nightly", number, "RUNNING", "", List.of()),
              null);
      default ->
          new PlacedEvent(
              new Event.ObjectRemoved(ObjectKey.of(ObjectKind.CLUSTER_QUEUE, "cq-" + number % 2)),
              null);
    };
  }

  /** Deletes some of the oldest batches, as retention does; the newest ones stay. */
  void prune(SplittableRandom chance, List<Server> servers) {
    long reached = batches.size();
    for (Server server : servers) {
      reached = Math.min(reached, server.hub.sequence());
    }
    if (reached > first) {
      first += chance.nextInt((int) (reached - first));
    }
  }

  void pruneBefore(long sequence) {
    first = sequence;
  }

  /** All events after a place, whether deleted or not. */
  List<JournalEvent> after(EventId place) {
    List<JournalEvent> events = new ArrayList<>();
    for (int batch = 0; batch < batches.size(); batch++) {
      for (int position = 0; position < batches.get(batch).size(); position++) {
        EventId id = new EventId(batch + 1L, position);
        if (id.compareTo(place) > 0) {
          events.add(JournalEvent.of(id, at(id.sequence()), batches.get(batch).get(position)));
        }
      }
    }
    return events;
  }

  /** A random place that was or is in the journal. */
  EventId anyPlace(SplittableRandom chance) {
    if (batches.isEmpty()) {
      return EventId.after(0);
    }
    int batch = chance.nextInt(batches.size());
    int size = batches.get(batch).size();
    return size == 0 || chance.nextBoolean()
        ? EventId.after(batch + 1L)
        : new EventId(batch + 1L, chance.nextInt(size));
  }

  @Override
  public List<JournalEvent> read(EventId after, long lastSequence, @Nullable JobId job, int most) {
    List<JournalEvent> read = new ArrayList<>();
    long from = Math.max(first, after.sequence());
    for (long sequence = Math.max(1, from);
        sequence <= Math.min(lastSequence, batches.size()) && read.size() < most;
        sequence++) {
      List<PlacedEvent> batch = batches.get((int) sequence - 1);
      for (int position = 0; position < batch.size() && read.size() < most; position++) {
        EventId id = new EventId(sequence, position);
        boolean wanted = job == null || job.equals(batch.get(position).event().job());
        if (wanted && id.compareTo(after) > 0) {
          read.add(JournalEvent.of(id, at(sequence), batch.get(position)));
        }
      }
    }
    return read;
  }

  @Override
  public long firstSequence() {
    return batches.isEmpty() ? 0 : first;
  }

  @Override
  public long lastSequence() {
    return batches.size();
  }
}
