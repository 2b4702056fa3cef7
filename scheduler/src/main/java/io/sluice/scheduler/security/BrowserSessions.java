// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The sessions that the database keeps. */
public interface BrowserSessions {
  /**
   * The result of a search for a session.
   *
   * @param session null if no session is known by that hash
   * @param answered false if the database did not answer, so that the result is not known
   */
  record Found(@Nullable BrowserSession session, boolean answered) {}

  /** Searches for a session by its hash. Does not wait for the database. */
  Found find(String digest);

  /** As {@link #find}, but waits for the database, so that it finds what began a moment ago. */
  Found findNow(String digest);

  /** Notes that a session was accepted. */
  void used(BrowserSession session, Instant now);
}
