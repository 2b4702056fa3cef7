// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event about slices of a provider. */
public sealed interface SliceEvent extends Event {
  /** For whom it happened; null: for nobody. */
  @Override
  default @Nullable JobId job() {
    return null;
  }

  /**
   * Slices came, for the job that sought them.
   *
   * @param until how long they are kept for it
   */
  record SlicesGranted(List<String> slices, RungKey rung, Instant until) implements SliceEvent {
    public SlicesGranted {
      slices = List.copyOf(slices);
    }

    @Override
    public JobId job() {
      return rung.job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.slicesGranted(this);
    }
  }

  /** The reason why a provider's grant of slices was refused. */
  enum GrantFault {
    /** The fleet has no such slices. */
    NOT_OF_FLEET,
    /** They were there before. */
    ALREADY_THERE,
    /** Nobody seeks such slices for that rung, or could have until just before. */
    NOT_SOUGHT
  }

  /** A grant that nobody requested was refused; nothing changed. */
  record GrantRefused(RungKey rung, List<String> slices, GrantFault fault) implements SliceEvent {
    public GrantRefused {
      slices = List.copyOf(slices);
    }

    @Override
    public JobId job() {
      return rung.job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.grantRefused(this);
    }
  }

  /** Granted slices that their job cannot use are kept for another job. */
  record SlicesPassedOn(List<String> slices, RungKey from, RungKey to, Instant until)
      implements SliceEvent {
    public SlicesPassedOn {
      slices = List.copyOf(slices);
    }

    @Override
    public JobId job() {
      return to.job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.slicesPassedOn(this);
    }
  }

  /**
   * Unused slices were given back to their provider.
   *
   * @param rung for which they came and were kept; null: for none
   */
  record SlicesReleased(List<String> slices, @Nullable RungKey rung) implements SliceEvent {
    public SlicesReleased {
      slices = List.copyOf(slices);
    }

    @Override
    public @Nullable JobId job() {
      return rung == null ? null : rung.job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.slicesReleased(this);
    }
  }

  /** A provider gave notice that it reclaims a slice. */
  record SliceLeaving(String slice, Instant until) implements SliceEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.sliceLeaving(this);
    }
  }

  /** A slice was lost; it is absent once its attempt has drained. */
  record SliceLost(String slice) implements SliceEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.sliceLost(this);
    }
  }

  /** A slice was returned to service. */
  record SliceReturned(String slice) implements SliceEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.sliceReturned(this);
    }
  }
}
