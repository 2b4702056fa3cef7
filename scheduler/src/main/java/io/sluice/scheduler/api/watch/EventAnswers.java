// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.restmodel.event.WatchedEvent;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.api.explanation.EventSentence;
import io.sluice.scheduler.store.job.JobPlace;
import io.sluice.scheduler.watch.EventObject;
import io.sluice.scheduler.watch.JournalEvent;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Converts events to the records and the bytes that clients read. */
@Singleton
class EventAnswers {
  private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

  private final ObjectMapper json;

  EventAnswers(ObjectMapper json) {
    this.json = json;
  }

  static WatchedEvent of(JournalEvent event) {
    return new WatchedEvent(
        event.id().toString(),
        event.id().sequence(),
        event.id().position(),
        event.at(),
        event.kind(),
        text(event),
        object(event),
        job(event),
        run(event));
  }

  private static String text(JournalEvent event) {
    Event known = event.event();
    if (known != null) {
      return EventSentence.of(known);
    }
    return event.kind().equals(Event.JobEnqueued.class.getSimpleName()) ? "queued" : event.kind();
  }

  private static WatchedEvent.ChangedObject object(JournalEvent event) {
    EventObject object = event.object();
    ObjectKey quota = object.quota();
    if (quota != null) {
      return new WatchedEvent.ChangedObject(
          object.kind(), Texts.unlessEmpty(quota.namespace()), quota.name(), null, null);
    }
    Event.RunChanged run = event.run();
    if (run != null) {
      return new WatchedEvent.ChangedObject(
          object.kind(), run.namespace(), runName(run), object.state(), null);
    }
    JobPlace place = object.isJob() ? event.place() : null;
    return new WatchedEvent.ChangedObject(
        object.kind(),
        place == null ? null : place.namespace(),
        place == null ? null : place.name(),
        object.state(),
        object.slices());
  }

  private static WatchedEvent.@Nullable ChangedJob job(JournalEvent event) {
    JobId job = event.job();
    if (job == null) {
      return null;
    }
    JobPlace place = event.place();
    IndexKey index = event.object().index();
    AttemptKey attempt = event.object().attempt();
    return new WatchedEvent.ChangedJob(
        job.toString(),
        place == null ? null : place.namespace(),
        place == null ? null : place.name(),
        place == null ? null : place.queue(),
        place == null ? null : place.clusterQueue(),
        index == null ? null : index.index(),
        attempt == null ? null : attempt.attempt());
  }

  private static WatchedEvent.@Nullable ChangedRun run(JournalEvent event) {
    Event.RunChanged run = event.run();
    return run == null
        ? null
        : new WatchedEvent.ChangedRun(
            run.run().toString(),
            run.namespace(),
            run.pipeline(),
            runName(run),
            Texts.unlessEmpty(run.reason()),
            run.steps().stream()
                .map(step -> new WatchedEvent.ChangedStep(step.name(), step.state()))
                .toList());
  }

  private static String runName(Event.RunChanged run) {
    return run.pipeline() + "-" + run.number();
  }

  /** An event of a stream of server-sent events: its id and its record as one line of JSON. */
  byte[] frame(JournalEvent event) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(("id: " + event.id() + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
    try {
      frame.writeBytes(json.writeValueAsBytes(of(event)));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("cannot write event " + event.id(), impossible);
    }
    frame.writeBytes(END);
    return frame.toByteArray();
  }
}
