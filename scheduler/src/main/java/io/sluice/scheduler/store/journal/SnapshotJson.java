// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.sluice.admission.state.SnapshotWalk;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.scheduler.store.JournalJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A snapshot as a compressed stream of JSON, written and read job by job, in the notation of {@link
 * JournalJson}. A shape that many jobs share is written with the first of them, and referred to by
 * number afterwards.
 */
public final class SnapshotJson {
  /** Version of the format; a reader refuses unknown ones. */
  static final int FORMAT = 1;

  private static final int BUFFER_BYTES = 1 << 16;

  private SnapshotJson() {}

  /** Writes a snapshot; used by one thread. */
  public static final class Writer implements AutoCloseable {
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private final JsonGenerator json;
    private int jobs;

    /**
     * Writes the header.
     *
     * @param others everything that is neither job nor attempt
     */
    public Writer(OutputStream out, StateSnapshot others) throws IOException {
      ObjectMapper mapper =
          JournalJson.with(
              new SimpleModule("shapes").addSerializer(WorkloadShape.class, new ShapeWriter()));
      this.json = mapper.createGenerator(new DeflaterOutputStream(out, deflater, BUFFER_BYTES));
      json.writeStartObject();
      json.writeNumberField("format", FORMAT);
      json.writeObjectField("others", others);
      json.writeArrayFieldStart("parts");
    }

    /** Writes the next job. */
    public void write(SnapshotWalk.Part part) throws IOException {
      json.writeObject(part);
      jobs++;
    }

    /** Writes the number of jobs, without which the snapshot is incomplete. */
    public void finish() throws IOException {
      json.writeEndArray();
      json.writeNumberField("jobs", jobs);
      json.writeEndObject();
    }

    @Override
    public void close() throws IOException {
      try {
        json.close();
      } finally {
        deflater.end();
      }
    }
  }

  /**
   * Reads a snapshot.
   *
   * @throws IOException if it has another format, or is incomplete
   */
  public static StateSnapshot read(InputStream stored) throws IOException {
    ObjectMapper mapper =
        JournalJson.with(
            new SimpleModule("shapes").addDeserializer(WorkloadShape.class, new ShapeReader()));
    try (JsonParser json = mapper.createParser(new InflaterInputStream(stored))) {
      json.nextToken();
      expect(json, "format");
      if (json.getIntValue() != FORMAT) {
        throw new IOException("a snapshot of format " + json.getText());
      }
      expect(json, "others");
      StateSnapshot others = json.readValueAs(StateSnapshot.class);
      expect(json, "parts");
      List<JobRecord> jobs = new ArrayList<>();
      List<AttemptRecord> attempts = new ArrayList<>();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        SnapshotWalk.Part part = json.readValueAs(SnapshotWalk.Part.class);
        jobs.add(part.job());
        attempts.addAll(part.attempts());
      }
      expect(json, "jobs");
      if (json.getIntValue() != jobs.size()) {
        throw new IOException("%d jobs of %s".formatted(jobs.size(), json.getText()));
      }
      if (json.nextToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
        // Read to its end, where the checksum is.
        throw new IOException("a snapshot with data after its end");
      }
      return others.with(jobs, attempts);
    }
  }

  private static void expect(JsonParser json, String field) throws IOException {
    if (!field.equals(json.nextFieldName())) {
      throw new IOException("a snapshot with %s for %s".formatted(json.currentName(), field));
    }
    json.nextToken();
  }

  private static final class ShapeWriter extends JsonSerializer<WorkloadShape> {
    private final Map<WorkloadShape, Integer> numbers = new HashMap<>();

    @Override
    public void serialize(WorkloadShape shape, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      Integer number = numbers.putIfAbsent(shape, numbers.size());
      if (number == null) {
        json.writeRawValue(JournalJson.write(shape));
      } else {
        json.writeNumber(number);
      }
    }
  }

  private static final class ShapeReader extends JsonDeserializer<WorkloadShape> {
    private final List<WorkloadShape> shapes = new ArrayList<>();

    @Override
    public WorkloadShape deserialize(JsonParser json, DeserializationContext context)
        throws IOException {
      if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
        return shapes.get(json.getIntValue());
      }
      WorkloadShape shape =
          JournalJson.read(json.readValueAsTree().toString(), WorkloadShape.class);
      shapes.add(shape);
      return shape;
    }
  }
}
