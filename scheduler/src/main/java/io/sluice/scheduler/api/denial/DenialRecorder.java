// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.denial;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.store.StoreException;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Writes denied requests of known callers to the audit log, at most one record for each caller and
 * minute. Requests without a valid token are only logged: strangers could fill the audit log.
 */
@Singleton
public final class DenialRecorder implements Part {
  private static final int PERIOD_SECONDS = 2;
  private static final int TEXT_MAX = 500;
  private static final Logger LOG = Logger.getLogger(DenialRecorder.class);

  private final DenialCounter counter = new DenialCounter();
  private final InstantSource clock = InstantSource.system();
  private final SharedTransactions transactions;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "denial-recorder");
            thread.setDaemon(true);
            return thread;
          });

  DenialRecorder(SharedTransactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Counts a denied request; does not block.
   *
   * @param request method and path
   * @param reason why it was denied
   */
  public void record(Caller caller, String request, String reason) {
    counter.add(caller, shortened(request), shortened(reason), clock.instant());
  }

  private static String shortened(String text) {
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...";
  }

  @Override
  public StartOrder place() {
    return StartOrder.DENIALS;
  }

  @Override
  public void start() {
    var unused =
        timer.scheduleWithFixedDelay(
            () -> write(false), PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void write(boolean all) {
    List<DenialCounter.Denials> due = counter.take(clock.instant(), all);
    if (due.isEmpty()) {
      return;
    }
    try {
      transactions.run(
          "cannot record denied requests",
          connection -> {
            AuditRows.insert(connection, due.stream().map(DenialRecorder::entry).toList());
            return due.size();
          });
    } catch (StoreException failure) {
      LOG.warnf("denied requests of %d callers are not recorded: %s", due.size(), failure);
    }
  }

  private static AuditEntry entry(DenialCounter.Denials denials) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("requests", denials.count());
    detail.put("since", denials.since().toString());
    detail.put("first", denials.first());
    detail.put("reason", denials.reason());
    return new AuditEntry(
        denials.caller(), AuditEntry.Action.DENY, "Request", "", "", null, detail);
  }

  @Override
  public void close() {
    timer.shutdown();
    write(true);
  }
}
