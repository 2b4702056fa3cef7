// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the pods of a submitter's jobs may use of a cluster. The server creates them with its own
 * rights, which are larger than those of submitters.
 *
 * @param privileged whether they may go beyond the {@code baseline} pod security standard
 * @param serviceAccounts by name, beside the namespace's default; {@link #ANY} stands for all
 * @param secrets by name; {@link #ANY} stands for all
 */
public record PodRules(
    boolean privileged, SortedSet<String> serviceAccounts, SortedSet<String> secrets) {
  /** Stands for all names. */
  public static final String ANY = "*";

  /** The account that each namespace has. */
  public static final String DEFAULT_ACCOUNT = "default";

  /** The default account, no secrets, and the {@code baseline} standard. */
  public static final PodRules BASELINE = new PodRules(false, List.of(), List.of());

  /** Everything. */
  public static final PodRules UNRESTRICTED = new PodRules(true, List.of(ANY), List.of(ANY));

  public PodRules {
    serviceAccounts = Collections.unmodifiableSortedSet(new TreeSet<>(serviceAccounts));
    secrets = Collections.unmodifiableSortedSet(new TreeSet<>(secrets));
  }

  public PodRules(
      boolean privileged, Collection<String> serviceAccounts, Collection<String> secrets) {
    this(privileged, new TreeSet<>(serviceAccounts), new TreeSet<>(secrets));
  }

  /** What these or the other rules allow. */
  public PodRules or(PodRules other) {
    if (equals(other)) {
      return this;
    }
    SortedSet<String> accounts = new TreeSet<>(serviceAccounts);
    accounts.addAll(other.serviceAccounts);
    SortedSet<String> names = new TreeSet<>(secrets);
    names.addAll(other.secrets);
    return new PodRules(privileged || other.privileged, accounts, names);
  }

  public boolean allowsAccount(String name) {
    return name.equals(DEFAULT_ACCOUNT) || allows(serviceAccounts, name);
  }

  public boolean allowsSecret(String name) {
    return allows(secrets, name);
  }

  private static boolean allows(SortedSet<String> names, String name) {
    return names.contains(name) || names.contains(ANY);
  }
}
