// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.Journal;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each part is broken in turn, to see that the checks find it out. */
class BrokenPartsTest {
  private static final int SEEDS = 10;

  /** The first of a few seeds for which a promise is broken, and which it is. */
  private static SimulationResult.Violation found(Parts broken) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      SimulationResult.Violation violation =
          new Simulation(RandomUsers.setup(), seed, broken).run().violation();
      if (violation != null) {
        assertThat(violation.message()).startsWith("seed " + seed + ", ");
        return violation;
      }
    }
    throw new AssertionError("nobody noticed");
  }

  /** A journal that does as the real one until a test breaks it. */
  private static class Passing implements Journal {
    private final Journal real;

    Passing(Journal real) {
      this.real = real;
    }

    @Override
    public List<Received> read(int most) {
      return real.read(most);
    }

    @Override
    public void append(Batch batch) {
      real.append(batch);
    }

    @Override
    public List<Batch> takeCommitted() {
      return real.takeCommitted();
    }
  }

  private static Parts withJournal(Function<MemoryJournal, Journal> broken) {
    return new Parts(RandomUsers.setup()) {
      @Override
      Journal journal(MemoryJournal journal) {
        return broken.apply(journal);
      }
    };
  }

  /** How a fleet is made. */
  private interface FleetMaker {
    SimulatedFleet make(
        VirtualWorld world, RunProfile profile, ReportLine reports, FleetBooks books);
  }

  private static Parts withFleet(FleetMaker broken) {
    return new Parts(RandomUsers.setup()) {
      @Override
      SimulatedFleet fleet(
          VirtualWorld world, RunProfile profile, ReportLine reports, FleetBooks books) {
        return broken.make(world, profile, reports, books);
      }
    };
  }

  @Test
  void hostsThatStartWhatRunsAlreadyAreFoundOut() {
    Parts broken =
        withFleet(
            (world, profile, reports, books) ->
                new SimulatedFleet(world, profile, reports, books) {
                  @Override
                  boolean refuses(AttemptKey key, int generation, @Nullable AttemptRecord stored) {
                    return stored == null || stored.generation() != generation;
                  }
                });
    assertThat(found(broken).promise()).isEqualTo(Promise.EXECUTIONS);
  }

  @Test
  void hostsThatStartAStaleGenerationAreFoundOut() {
    Parts broken =
        withFleet(
            (world, profile, reports, books) ->
                new SimulatedFleet(world, profile, reports, books) {
                  @Override
                  boolean refuses(AttemptKey key, int generation, @Nullable AttemptRecord stored) {
                    return generation > 0 && super.refuses(key, generation, stored);
                  }
                });
    assertThat(found(broken).promise()).isIn(Promise.EXECUTIONS, Promise.SLICES);
  }

  @Test
  void hostsThatReportTheEndBeforeItAreFoundOut() {
    Parts broken =
        withFleet(
            (world, profile, reports, books) ->
                new SimulatedFleet(world, profile, reports, books) {
                  @Override
                  void end(Execution execution, boolean endsWell, Duration after) {
                    report(execution.attempt(), execution.generation(), Kind.DRAINED, null);
                    super.end(execution, endsWell, after);
                  }
                });
    assertThat(found(broken).promise()).isEqualTo(Promise.EXECUTIONS);
  }

  @Test
  void hostsThatNeverReportTheEndAreFoundOut() {
    Parts broken =
        withFleet(
            (world, profile, reports, books) ->
                new SimulatedFleet(world, profile, reports, books) {
                  @Override
                  void report(
                      AttemptKey key, int generation, Kind kind, @Nullable FailureCause cause) {
                    if (kind != Kind.DRAINED) {
                      super.report(key, generation, kind, cause);
                    }
                  }
                });
    assertThat(found(broken).promise()).isEqualTo(Promise.LIVENESS);
  }

  @Test
  void aJournalThatReadsAnInputTwiceIsFoundOut() {
    Parts broken =
        withJournal(
            journal ->
                new Passing(journal) {
                  private List<Received> last = List.of();

                  @Override
                  public List<Received> read(int most) {
                    List<Received> twice = new ArrayList<>(last);
                    last = super.read(most);
                    twice.addAll(last);
                    return twice;
                  }
                });
    assertThat(found(broken).promise()).isEqualTo(Promise.INPUTS);
  }

  @Test
  void aJournalThatLosesAnInputIsFoundOut() {
    Parts broken =
        withJournal(
            journal ->
                new Passing(journal) {
                  @Override
                  public List<Received> read(int most) {
                    return super.read(most).stream().filter(input -> input.id() != 50).toList();
                  }
                });
    assertThat(found(broken).promise()).isEqualTo(Promise.INPUTS);
  }

  @Test
  void anIntakeThatForgetsKeysIsFoundOut() {
    Parts broken =
        new Parts(RandomUsers.setup()) {
          @Override
          Intake intake(VirtualWorld world, Runnable wake) {
            return new Intake(world, wake) {
              @Override
              boolean knows(String key) {
                return false;
              }
            };
          }
        };
    SimulationResult.Violation violation = found(broken);
    assertThat(violation.promise()).isEqualTo(Promise.INPUTS);
    assertThat(violation.message()).contains("key job-");
  }

  @Test
  void aJournalThatLosesAnEventIsFoundOut() {
    Parts broken =
        withJournal(
            journal ->
                new Passing(journal) {
                  @Override
                  public void append(Batch batch) {
                    List<Event> kept =
                        batch.events().stream()
                            .filter(event -> !(event instanceof Event.AttemptStarted))
                            .toList();
                    super.append(
                        new Batch(
                            batch.sequence(), batch.now(), batch.inputs(), kept, batch.changes()));
                  }
                });
    // A later event of the attempt may find it in another state.
    assertThat(found(broken).promise()).isIn(Promise.MEMORY, Promise.ENGINE);
  }

  @Test
  void aJournalThatMixesUpTheOrderOfInputsIsFoundOut() {
    Parts broken =
        withJournal(
            journal ->
                new Passing(journal) {
                  @Override
                  public void append(Batch batch) {
                    List<Long> inputs = new ArrayList<>(batch.inputs());
                    Collections.reverse(inputs);
                    super.append(
                        new Batch(
                            batch.sequence(),
                            batch.now(),
                            inputs,
                            batch.events(),
                            batch.changes()));
                  }
                });
    assertThat(found(broken).promise()).isEqualTo(Promise.RECOMPUTATION);
  }

  @Test
  void aRoundThatFailsIsFoundOut() {
    Parts broken =
        withJournal(
            journal ->
                new Passing(journal) {
                  @Override
                  public List<Received> read(int most) {
                    throw new IllegalStateException("as if the engine contradicted itself");
                  }
                });
    assertThat(found(broken).promise()).isEqualTo(Promise.ENGINE);
  }
}
