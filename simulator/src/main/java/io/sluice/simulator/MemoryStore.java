// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.Journal;
import io.sluice.queuemodel.event.Input;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * An in-memory replacement of PostgreSQL: inputs, batches, rows and the epoch. It outlives every
 * server, and writes a batch whole or not at all.
 */
final class MemoryStore {
  private final TreeMap<Long, Input> waiting = new TreeMap<>();
  private final List<Written> batches = new ArrayList<>();
  private final StoredRows rows = new StoredRows();
  private final Consumer<Written> whenWritten;
  private long lastNumber;
  private long epoch;

  /**
   * An empty store.
   *
   * @param whenWritten told of each batch as soon as it is durable
   */
  MemoryStore(Consumer<Written> whenWritten) {
    this.whenWritten = whenWritten;
  }

  /** The number of an input that is about to come. */
  long nextNumber() {
    lastNumber++;
    return lastNumber;
  }

  /** From now on the input is acknowledged. */
  void add(long number, Input input) {
    waiting.put(number, input);
  }

  /** Inputs that no durable batch consumed, without those already known, by number. */
  List<Journal.Received> unconsumed(Set<Long> known, int most) {
    List<Journal.Received> received = new ArrayList<>();
    for (Map.Entry<Long, Input> entry : waiting.entrySet()) {
      if (received.size() == most) {
        break;
      }
      if (!known.contains(entry.getKey())) {
        received.add(new Journal.Received(entry.getKey(), entry.getValue()));
      }
    }
    return received;
  }

  boolean anyWaiting() {
    return !waiting.isEmpty();
  }

  /** A new epoch; whoever had the last one can write no more. */
  long takeLead() {
    epoch++;
    return epoch;
  }

  long epoch() {
    return epoch;
  }

  long lastSequence() {
    return batches.size();
  }

  StoredRows rows() {
    return rows;
  }

  /** All batches; that of sequence n is at n - 1. */
  List<Written> batches() {
    return Collections.unmodifiableList(batches);
  }

  /**
   * Makes a batch durable.
   *
   * @throws LostEpochException if another epoch leads; nothing was written
   */
  void write(long writer, Journal.Batch batch) {
    if (writer != epoch) {
      throw new LostEpochException(writer, epoch);
    }
    if (batch.sequence() != lastSequence() + 1) {
      throw new BrokenPromiseException(
          Promise.MEMORY, "batch " + batch.sequence() + " follows batch " + lastSequence());
    }
    List<Input> consumed = new ArrayList<>();
    for (long number : batch.inputs()) {
      Input input = waiting.remove(number);
      if (input == null) {
        throw new BrokenPromiseException(
            Promise.INPUTS,
            "batch %d consumes input %d, which was consumed before or never came"
                .formatted(batch.sequence(), number));
      }
      consumed.add(input);
    }
    rows.write(batch);
    Written written = new Written(writer, batch, consumed);
    batches.add(written);
    whenWritten.accept(written);
  }

  /**
   * Whether a batch of this epoch is durable.
   *
   * @throws LostEpochException if a batch of another epoch has its place
   */
  boolean isWritten(long writer, long sequence) {
    boolean written = sequence <= lastSequence();
    if (written && batches.get((int) sequence - 1).epoch() != writer) {
      throw new LostEpochException(writer, batches.get((int) sequence - 1).epoch());
    }
    return written;
  }

  /** SHA-256 of all batches, in hexadecimal. */
  String digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (Written written : batches) {
        Journal.Batch batch = written.batch();
        String text =
            "%d|%d|%s|%s|%s|%s%n"
                .formatted(
                    written.epoch(),
                    batch.sequence(),
                    batch.now(),
                    batch.inputs(),
                    written.inputs(),
                    batch.events());
        sha.update(text.getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java has SHA-256", missing);
    }
  }
}
