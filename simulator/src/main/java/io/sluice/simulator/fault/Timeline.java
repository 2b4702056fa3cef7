// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.fault;

import java.util.ArrayList;
import java.util.List;

/** The timeline of a run, in order. */
public final class Timeline {
  private final Agenda agenda;
  private final List<Moment> moments = new ArrayList<>();

  public Timeline(Agenda agenda) {
    this.agenda = agenda;
  }

  public void add(String what) {
    moments.add(new Moment(agenda.now(), what));
  }

  public List<Moment> moments() {
    return List.copyOf(moments);
  }
}
