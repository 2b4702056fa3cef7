// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import java.util.ArrayList;
import java.util.List;

/** What happened, in order. */
final class Timeline {
  private final Agenda agenda;
  private final List<Moment> moments = new ArrayList<>();

  Timeline(Agenda agenda) {
    this.agenda = agenda;
  }

  void add(String what) {
    moments.add(new Moment(agenda.now(), what));
  }

  List<Moment> moments() {
    return List.copyOf(moments);
  }
}
