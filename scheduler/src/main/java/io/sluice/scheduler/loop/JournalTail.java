// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.journal.JournalReader;
import io.sluice.scheduler.store.journal.JournalReader.StoredBatch;
import java.util.List;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** Brings the view of a server that does not lead up to what others have committed. One thread. */
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
   * Takes in what is committed by now. A view that does not fit the journal is loaded anew.
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

  /** The next batches; none if they cannot be read, then the view includes them already. */
  private List<StoredBatch> read() {
    try {
      return journal.read(view.sequence(), BATCHES_MAX);
    } catch (TransientStoreException failure) {
      throw failure;
    } catch (RuntimeException unreadable) {
      // A newer leader records events that this version does not know. What they led to may be
      // readable all the same.
      LOG.errorf(
          "the journal after %d cannot be read, and the copy is loaded anew: %s",
          view.sequence(), unreadable.getMessage());
      view.load(database);
      return List.of();
    }
  }

  /**
   * Takes in the journal to its end. Nobody else may commit meanwhile.
   *
   * @throws io.sluice.scheduler.store.StoreException if the database cannot be read
   */
  public void catchUpToTheEnd() {
    catchUp();
    long last = journal.lastSequence();
    if (view.sequence() != last) {
      LOG.errorf("the copy is at %d, the journal at %d", view.sequence(), last);
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
      LOG.error("the copy does not fit the journal and is loaded anew", unfit);
      return false;
    }
  }

  @Override
  public void close() {
    journal.close();
  }
}
