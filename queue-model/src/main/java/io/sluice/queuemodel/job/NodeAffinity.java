// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;

/**
 * The required node affinity of pods: a node must meet all requirements of one term.
 *
 * @param terms none: any node
 * @param preferences which of the nodes had better be taken
 * @param alternatives of which one must be met besides, all of it; the first for which there is
 *     room is taken. None: nothing more must be met
 */
public record NodeAffinity(
    List<List<Requirement>> terms,
    List<Preference> preferences,
    List<List<Requirement>> alternatives) {
  public static final NodeAffinity ANY = new NodeAffinity(List.of());

  public NodeAffinity {
    terms = terms.stream().map(List::copyOf).toList();
    preferences = List.copyOf(preferences);
    alternatives = alternatives.stream().map(List::copyOf).toList();
  }

  /** Which nodes pods may be on, without alternatives. */
  public NodeAffinity(List<List<Requirement>> terms, List<Preference> preferences) {
    this(terms, preferences, List.of());
  }

  /** Which nodes pods may be on, of which none is better than another. */
  public NodeAffinity(List<List<Requirement>> terms) {
    this(terms, List.of());
  }

  /**
   * Nodes that had better be taken.
   *
   * @param weight how much better, from 1 to 100
   * @param term what a node must meet, all of it
   */
  public record Preference(int weight, List<Requirement> term) {
    public Preference {
      term = List.copyOf(term);
    }
  }

  /** The same, which nodes meet only with this requirement as well. */
  public NodeAffinity requiring(Requirement requirement) {
    List<List<Requirement>> all = new ArrayList<>();
    for (List<Requirement> term : terms.isEmpty() ? List.of(List.<Requirement>of()) : terms) {
      List<Requirement> more = new ArrayList<>(term);
      more.add(requirement);
      all.add(more);
    }
    return new NodeAffinity(all, preferences, alternatives);
  }

  /** The same with other alternatives. */
  public NodeAffinity choosing(List<List<Requirement>> other) {
    return new NodeAffinity(terms, preferences, other);
  }

  /** Whether an alternative is met, or there are none. */
  private boolean meetsOne(Labels nodeLabels) {
    return alternatives.isEmpty()
        || alternatives.stream().anyMatch(alternative -> meets(alternative, nodeLabels));
  }

  /** Whether pods may be on a node with these labels, which are all that it has. */
  public boolean admits(Labels nodeLabels) {
    if (!meetsOne(nodeLabels)) {
      return false;
    }
    boolean admitted = terms.isEmpty();
    for (List<Requirement> term : terms) {
      admitted |= !term.isEmpty() && meets(term, nodeLabels);
    }
    return admitted;
  }

  /** How good a node is: the sum of the weights that it earns. */
  public int score(Labels nodeLabels) {
    int score = 0;
    for (Preference preference : preferences) {
      score += meets(preference.term(), nodeLabels) ? preference.weight() : 0;
    }
    return score;
  }

  private static boolean meets(List<Requirement> term, Labels nodeLabels) {
    return term.stream().allMatch(requirement -> requirement.isMetBy(nodeLabels));
  }

  /** Whether a node with all of its labels will do. */
  public boolean matches(Labels labels) {
    return meetsOne(labels)
        && (terms.isEmpty()
            || terms.stream()
                .anyMatch(
                    term -> term.stream().allMatch(requirement -> requirement.isMetBy(labels))));
  }

  /**
   * Whether a flavor's nodes may do. A label that the flavor does not name may be on its nodes or
   * not: a requirement of it excludes nothing, and a term of such only is met.
   */
  public boolean permits(Labels nodeLabels) {
    boolean permitted = terms.isEmpty();
    for (List<Requirement> term : terms) {
      permitted |= permits(term, nodeLabels);
    }
    return permitted;
  }

  /** Whether a flavor's nodes may do for one of the alternatives, in the same sense. */
  public boolean permits(int alternative, Labels nodeLabels) {
    return permits(alternatives.get(alternative), nodeLabels);
  }

  private static boolean permits(List<Requirement> term, Labels nodeLabels) {
    List<Requirement> known = new ArrayList<>(term);
    known.removeIf(requirement -> nodeLabels.get(requirement.key()) == null);
    return known.stream().allMatch(requirement -> requirement.isMetBy(nodeLabels));
  }

  /** Shapes are stored by this text: what was added later is in it only where it is used. */
  @Override
  public String toString() {
    return "NodeAffinity[terms="
        + terms
        + (preferences.isEmpty() ? "" : ", preferences=" + preferences)
        + (alternatives.isEmpty() ? "" : ", alternatives=" + alternatives)
        + "]";
  }
}
