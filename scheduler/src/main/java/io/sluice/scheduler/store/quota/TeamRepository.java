// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Team;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Tuple;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows beside the stored teams: the team of each namespace, and the entitlement of each team.
 * Every method takes part in the caller's transaction.
 */
@ApplicationScoped
public class TeamRepository {
  private final EntityManager session;

  TeamRepository(EntityManager session) {
    this.session = session;
  }

  /** Replaces the namespaces of teams that were written. */
  public void setNamespaces(Collection<Team> teams) {
    // First all that are given up, as another team may take them in the same transaction.
    teams.forEach(team -> remove("team_namespace", team.meta().name()));
    for (Team team : teams) {
      if (!team.namespaces().isEmpty()) {
        session
            .createNativeQuery(
                "INSERT INTO team_namespace"
                    + " SELECT unnest(string_to_array(:namespaces, ',')), :team")
            .setParameter("namespaces", String.join(",", team.namespaces()))
            .setParameter("team", team.meta().name())
            .executeUpdate();
      }
    }
  }

  /** Removes the rows of a team that was deleted. */
  public void remove(String team) {
    remove("team_namespace", team);
    remove("team_entitlement", team);
  }

  private void remove(String table, String team) {
    session
        .createNativeQuery("DELETE FROM " + table + " WHERE team = :team")
        .setParameter("team", team)
        .executeUpdate();
  }

  /** What administrators gave to a team. */
  public Entitlement entitlement(String team) {
    Map<Entitlement.Pair, Entitlement.Amounts> amounts = new TreeMap<>();
    for (Object found :
        session
            .createNativeQuery(
                "SELECT flavor, resource, nominal, borrowed, kept FROM team_entitlement"
                    + " WHERE team = :team",
                Tuple.class)
            .setParameter("team", team)
            .getResultList()) {
      Tuple row = (Tuple) found;
      amounts.put(
          new Entitlement.Pair(
              row.get("flavor", String.class), new ResourceName(row.get("resource", String.class))),
          new Entitlement.Amounts(
              row.get("nominal", Long.class),
              row.get("borrowed", Long.class),
              row.get("kept", Long.class)));
    }
    return Entitlement.of(amounts);
  }

  /** Replaces the entitlement of a team. */
  public void setEntitlement(String team, Entitlement entitlement) {
    remove("team_entitlement", team);
    entitlement
        .amounts()
        .forEach(
            (pair, amounts) ->
                session
                    .createNativeQuery(
                        "INSERT INTO team_entitlement"
                            + " VALUES (:team, :flavor, :resource, :nominal, :borrowed, :kept)")
                    .setParameter("team", team)
                    .setParameter("flavor", pair.flavor())
                    .setParameter("resource", pair.resource().value())
                    .setParameter("nominal", amounts.nominal())
                    .setParameter("borrowed", amounts.borrowed())
                    .setParameter("kept", amounts.kept())
                    .executeUpdate());
  }
}
