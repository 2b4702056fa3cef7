// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids of accounts; no process gets one here, so no rights are needed. */
class AccountsTest {
  private static final AccountRange RANGE = new AccountRange(1_900_000_000, 1_900_000_999);

  private final Path temporary;

  AccountsTest(@TempDir Path temporary) {
    this.temporary = temporary;
  }

  private Path executor(String name, String id) throws IOException {
    Path directory = Files.createDirectories(temporary.resolve(name));
    Files.writeString(directory.resolve("executor-id"), id);
    return directory;
  }

  private NamespaceAccounts open(Path directory, AccountRange range) throws IOException {
    String id = Files.readString(directory.resolve("executor-id"));
    return new NamespaceAccounts(
        directory.resolve("job-accounts"),
        new AccountClaims(temporary.resolve("claims"), id, directory),
        range);
  }

  @Test
  void serversOfOneMachineNeverShareAnId() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<List<Account>>> assigned = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      NamespaceAccounts accounts =
          open(executor("e" + number, UUID.randomUUID().toString()), RANGE);
      assigned.add(
          threads.submit(
              () -> {
                List<Account> own = new ArrayList<>();
                for (int namespace = 0; namespace < 10; namespace++) {
                  own.add(accounts.of("n" + namespace));
                }
                return own;
              }));
    }
    List<Account> all = new ArrayList<>();
    for (Future<List<Account>> own : assigned) {
      all.addAll(own.get());
    }
    threads.shutdown();

    assertThat(all).hasSize(40).doesNotHaveDuplicates();
    assertThat(all).allMatch(account -> account.userId() == account.groupId());
  }

  @Test
  void aNamespaceKeepsItsIdAlsoWhenTheMachineForgetsItsClaims() throws Exception {
    Path directory = executor("e", "one");
    Account red = open(directory, RANGE).of("red");
    Account blue = open(directory, RANGE).of("blue");
    Files.delete(temporary.resolve("claims/claims"));

    NamespaceAccounts later = open(directory, new AccountRange(2000, 2999));
    assertThat(later.of("red")).isEqualTo(red).isNotEqualTo(blue);
    assertThat(later.of("blue")).isEqualTo(blue);
    assertThat(later.of("green").userId()).isEqualTo(2000);
    assertThat(open(executor("f", "two"), RANGE).of("red")).isNotIn(red, blue);
  }

  @Test
  void aCopyOfADirectoryGetsIdsOfItsOwn() throws Exception {
    Path original = executor("e", "one");
    Account red = open(original, RANGE).of("red");
    Path copy = executor("copy", "two");
    Files.copy(original.resolve("job-accounts"), copy.resolve("job-accounts"));

    assertThat(open(copy, RANGE).of("red")).isNotEqualTo(red);
    assertThat(open(original, RANGE).of("red")).isEqualTo(red);
  }

  @Test
  void idsOfADeletedDirectoryAreUsedAgainOnlyWhenThereAreNoOthers() throws Exception {
    AccountRange two = new AccountRange(RANGE.first(), RANGE.first() + 1);
    Path gone = executor("gone", "one");
    Account first = open(gone, two).of("red");
    Files.delete(gone.resolve("job-accounts"));
    Files.delete(gone.resolve("executor-id"));
    NamespaceAccounts accounts = open(executor("e", "two"), two);

    assertThat(accounts.of("red")).isNotEqualTo(first);
    assertThat(accounts.of("blue")).isEqualTo(first);
    assertThatThrownBy(() -> accounts.of("green"))
        .isInstanceOf(IsolationException.class)
        .hasMessageContaining(two.toString())
        .hasMessageContaining("--job-accounts");
    assertThat(accounts.of("red")).as("the others are unharmed").isNotEqualTo(first);
  }

  @Test
  void aDamagedFileIsAnErrorAndNoReasonToAssignAnew() throws Exception {
    Path directory = executor("e", "one");
    for (String damaged : List.of("red", "red x", "red 0", "red 2000\nblue 2000", "")) {
      Files.writeString(directory.resolve("job-accounts"), damaged + "\n");
      assertThatThrownBy(() -> open(directory, RANGE))
          .as(damaged)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("job-accounts");
    }
    Files.delete(directory.resolve("job-accounts"));
    open(directory, RANGE).of("red");
    Files.writeString(temporary.resolve("claims/claims"), "damaged\n");
    assertThatThrownBy(() -> open(directory, RANGE)).hasMessageContaining("damaged");
  }

  @Test
  void aRangeIsOfThisMachineAndOfNobodyElse() throws Exception {
    Path etc = Files.createDirectory(temporary.resolve("etc"));
    assertThat(AccountRange.ofMachine(etc)).isEqualTo(AccountRange.DEFAULT);
    AccountRange.DEFAULT.requireFree(etc);
    Files.writeString(etc.resolve("subuid"), "ann:100000:65536\nroot:300000:10\n");
    assertThat(AccountRange.ofMachine(etc)).isEqualTo(new AccountRange(300_000, 300_009));
    AccountRange.ofMachine(etc).requireFree(etc);

    Files.writeString(etc.resolve("subuid"), "ann:165536:65536\n");
    assertThatThrownBy(() -> AccountRange.DEFAULT.requireFree(etc)).hasMessageContaining("ann");
    Files.delete(etc.resolve("subuid"));
    Files.writeString(etc.resolve("group"), "+::\nlab:x:200007:ann\n");
    assertThatThrownBy(() -> AccountRange.DEFAULT.requireFree(etc))
        .hasMessageContaining("lab")
        .hasMessageContaining("/etc/group");
    for (String wrong : List.of("", "7", "9-1", "0-70000", "999-2000", "1-2-3", "99999999999-1")) {
      assertThatThrownBy(() -> AccountRange.parse(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(AccountRange.parse("1000-1000")).isEqualTo(new AccountRange(1000, 1000));
  }
}
