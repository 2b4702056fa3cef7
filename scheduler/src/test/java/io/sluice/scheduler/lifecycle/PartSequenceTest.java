// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PartSequenceTest {
  private final List<String> done = new ArrayList<>();
  private final Set<StartOrder> cannotStart = EnumSet.noneOf(StartOrder.class);
  private final Set<StartOrder> cannotEnd = EnumSet.noneOf(StartOrder.class);

  private final class NotedPart implements Part {
    private final StartOrder place;

    NotedPart(StartOrder place) {
      this.place = place;
    }

    @Override
    public StartOrder place() {
      return place;
    }

    @Override
    public void start() {
      done.add("start " + place);
      fail(cannotStart);
    }

    @Override
    public void close() {
      done.add("end " + place);
      fail(cannotEnd);
    }

    private void fail(Set<StartOrder> failing) {
      if (failing.contains(place)) {
        throw new IllegalStateException(place + " fails");
      }
    }
  }

  /** One part for each place, in the wrong order. */
  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    for (StartOrder place : StartOrder.values()) {
      parts.add(new NotedPart(place));
    }
    Collections.reverse(parts);
    return parts;
  }

  private static List<String> started(List<StartOrder> places) {
    return places.stream().map(place -> "start " + place).toList();
  }

  private static List<String> ended(List<StartOrder> places) {
    List<String> ended = places.stream().map(place -> "end " + place).collect(Collectors.toList());
    Collections.reverse(ended);
    return ended;
  }

  private static List<String> both(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  @Test
  void partsStartInTheirOrderAndEndInReverseOnce() {
    PartSequence sequence = new PartSequence(parts());
    sequence.start();
    sequence.close();
    sequence.close();

    List<StartOrder> all = List.of(StartOrder.values());
    assertThat(done).isEqualTo(both(started(all), ended(all)));
  }

  @Test
  void ifOnePartFailsToStartItAndThoseBeforeItEnd() {
    cannotStart.add(StartOrder.ROLE);
    PartSequence sequence = new PartSequence(parts());
    assertThatThrownBy(sequence::start).hasMessage("ROLE fails");
    sequence.close();

    List<StartOrder> all = List.of(StartOrder.values());
    List<StartOrder> reached = all.subList(0, all.indexOf(StartOrder.ROLE) + 1);
    assertThat(done).isEqualTo(both(started(reached), ended(reached)));
  }

  @Test
  void aPartThatFailsToEndKeepsNoOtherFromIt() {
    cannotEnd.add(StartOrder.SUBMISSIONS);
    PartSequence sequence = new PartSequence(parts());
    sequence.start();
    sequence.close();

    List<StartOrder> all = List.of(StartOrder.values());
    assertThat(done).isEqualTo(both(started(all), ended(all)));
  }

  @Test
  void aPlaceHasOnePart() {
    List<Part> missing = parts();
    missing.removeIf(part -> part.place() == StartOrder.FAULTS);
    assertThatThrownBy(() -> new PartSequence(missing)).hasMessageContaining("FAULTS");

    List<Part> twice = parts();
    twice.add(new NotedPart(StartOrder.FAULTS));
    assertThatThrownBy(() -> new PartSequence(twice)).hasMessageContaining("FAULTS");
  }
}
