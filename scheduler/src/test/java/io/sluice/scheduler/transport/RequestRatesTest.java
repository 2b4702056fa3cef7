// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Bursts and rates in virtual time. */
class RequestRatesTest {
  private final VirtualTime time = new VirtualTime();
  private final RequestRates rates = new RequestRates(10, time);

  /** Stands still until it is moved. */
  private static final class VirtualTime implements TimeMeter {
    private final AtomicLong nanos = new AtomicLong(1);

    void pass(Duration duration) {
      nanos.addAndGet(duration.toNanos());
    }

    @Override
    public long currentTimeNanos() {
      return nanos.get();
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }

  private int admitted(String sender, int sent) {
    int admitted = 0;
    for (int request = 0; request < sent; request++) {
      admitted += rates.admit(sender) ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void aBurstIsFollowedByTheRate() {
    assertThat(admitted("ann", 100)).isEqualTo(40);
    time.pass(Duration.ofMillis(99));
    assertThat(admitted("ann", 100)).isZero();
    time.pass(Duration.ofMillis(1));
    assertThat(admitted("ann", 100)).isEqualTo(1);
    time.pass(Duration.ofSeconds(1));
    assertThat(admitted("ann", 100)).isEqualTo(10);
    time.pass(Duration.ofHours(1));
    assertThat(admitted("ann", 100)).isEqualTo(40);
  }

  @Test
  void aSenderTakesNothingFromAnother() {
    assertThat(admitted("ann", 100)).isEqualTo(40);
    assertThat(admitted("sam", 100)).isEqualTo(40);
  }

  @Test
  void manySendersTakeABoundedAmountOfMemoryAndExpire() {
    for (int sender = 0; sender < 5 * RequestRates.TRACKED_MAX; sender++) {
      assertThat(rates.admit("sender-" + sender)).isTrue();
    }
    assertThat(rates.tracked()).isPositive().isLessThanOrEqualTo(RequestRates.TRACKED_MAX);
    time.pass(Duration.ofSeconds(2 * RequestRates.BURST_SECONDS + 1));
    assertThat(rates.tracked()).isZero();
  }

  @Test
  void requestsAtOnceGetNoMoreThanTheBurst() throws Exception {
    AtomicInteger admitted = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int thread = 0; thread < 4; thread++) {
      threads.execute(() -> admitted.addAndGet(admitted("ann", 100)));
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(admitted).hasValue(40);
  }

  @Test
  void aNetworkOfIpv6AddressesIsOneSender() {
    assertThat(sender("192.0.2.7")).isEqualTo("192.0.2.7").isNotEqualTo(sender("192.0.2.8"));
    assertThat(sender("2001:db8:1:2::7")).isEqualTo(sender("2001:db8:1:2:ffff::8"));
    assertThat(sender("2001:db8:1:2::7")).isNotEqualTo(sender("2001:db8:1:3::7"));
    assertThat(RemoteAddress.sender(null)).isEmpty();
  }

  private static String sender(String address) {
    return RemoteAddress.sender(
        SocketAddress.inetSocketAddress(new InetSocketAddress(address, 1234)));
  }
}
