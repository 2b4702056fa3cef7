// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.journal.JournalReader;
import io.sluice.scheduler.store.journal.JournalReader.StoredBatch;
import java.util.List;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** Applies the batches that other servers commit to the view of a follower. Used by one thread. */
final class JournalTail implements AutoCloseable {
  private static final int BATCHES_MAX = 16;
  private static final Logger LOG = Logger.getLogger(JournalTail.class);

  private final DataSource database;
  private final CommittedView view;
  private final JournalReader journal;

  public JournalTail(DataSource database, CommittedView view) {
    this.database = database;
    this.view = view;
    this.journal = new JournalReader(database);
  }

  /**
   * Applies all batches committed so far. Loads the view again if it does not fit the journal.
   *
   * @throws io.sluice.scheduler.store.StoreException if the database cannot be read
   */
  public void catchUp() {
    List<StoredBatch> batches;
    do {
      batches = read();
      boolean pruned = batches.isEmpty() && journal.isPrunedAfter(view.sequence());
      if (pruned || !takeIn(batches)) {
        view.load(database);
      }
    } while (batches.size() == BATCHES_MAX);
  }

  /**
   * The next batches; empty if they cannot be read, in which case the view was loaded past them.
   */
  private List<StoredBatch> read() {
    try {
      return journal.read(view.sequence(), BATCHES_MAX);
    } catch (TransientStoreException failure) {
      throw failure;
    } catch (RuntimeException unreadable) {
      // A newer leader records events unknown to this version. The state they lead to may still be
      // readable.
      LOG.errorf(
          "cannot read the journal after batch %d, the view is loaded again: %s",
          view.sequence(), unreadable.getMessage());
      view.load(database);
      return List.of();
    }
  }

  /**
   * Applies the journal to its end. No other server may commit meanwhile.
   *
   * @throws io.sluice.scheduler.store.StoreException if the database cannot be read
   */
  public void catchUpToTheEnd() {
    catchUp();
    long last = journal.lastSequence();
    if (view.sequence() != last) {
      LOG.errorf("the view is at batch %d, the journal at %d", view.sequence(), last);
      view.load(database);
    }
  }

  private boolean takeIn(List<StoredBatch> batches) {
    try {
      for (StoredBatch batch : batches) {
        view.apply(batch.sequence(), batch.now(), batch.events());
      }
      return true;
    } catch (TransientStoreException failure) {
      throw failure;
    } catch (RuntimeException unfit) {
      LOG.error("the view does not fit the journal and is loaded again", unfit);
      return false;
    }
  }

  @Override
  public void close() {
    journal.close();
  }
}
