// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.JournalJson;

/**
 * Quota objects by their stored text, so that each text is parsed once. The text alone decides what
 * it means, so no entry becomes wrong; a generation would not do, as it restarts when an object is
 * created again.
 */
final class ParsedObjects {
  /** Maximum number of characters of all texts together. */
  private static final long CHARACTERS_MAX = 8_000_000;

  private static final Cache<String, QuotaObject> BY_TEXT =
      Caffeine.newBuilder()
          .maximumWeight(CHARACTERS_MAX)
          .weigher((String text, QuotaObject object) -> text.length())
          .build();

  private ParsedObjects() {}

  static QuotaObject of(String text) {
    return BY_TEXT.get(text, absent -> JournalJson.read(absent, QuotaObject.class));
  }
}
