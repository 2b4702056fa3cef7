// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * Corrects forecasts by what came of earlier ones, so that the stated range holds its confidence.
 * It is split conformal prediction, applied locally: the range is the forecast median times the
 * quantiles of past ratios of wait and median, taken from the forecasts of the queue that were most
 * like it. A queue with few forecasts is corrected by those of all queues. Before there are enough,
 * the forecast itself is stated.
 *
 * <p>A forecast is added when its job has started, so that a correction uses only what was known.
 * Memory is bounded: a number of forecasts per queue and of queues, of which the one that was used
 * least recently is dropped.
 */
public final class StartCalibration {
  /** Maximum number of queues whose forecasts are kept. */
  static final int QUEUES_MAX = 1_000;

  private final LinkedHashMap<String, ForecastErrors> ofQueue =
      new LinkedHashMap<>(16, 0.75f, true);
  private final ForecastErrors ofAll = new ForecastErrors();

  /**
   * Adds a forecast whose job has started. One without a median teaches nothing.
   *
   * @param queue name of the ClusterQueue
   * @param wait time from the forecast to the start, in seconds
   */
  public void add(String queue, ForecastRange forecast, double wait) {
    if (!forecast.starts()) {
      return;
    }
    ofAll.add(forecast, wait);
    ofQueue.computeIfAbsent(queue, absent -> new ForecastErrors()).add(forecast, wait);
    if (ofQueue.size() > QUEUES_MAX) {
      Iterator<String> oldest = ofQueue.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /**
   * Returns the range to state for a forecast that has a median. A firm planned start bounds it
   * from above, because it is a promise.
   */
  public StatedRange state(String queue, ForecastRange forecast) {
    ForecastErrors its = ofQueue.get(queue);
    ForecastErrors known = its == null || its.size() < ForecastErrors.ENOUGH ? ofAll : its;
    StatedRange range =
        known.size() < ForecastErrors.ENOUGH
            ? new StatedRange(forecast.low(), forecast.median(), forecast.high())
            : known.correct(forecast);
    double latest = forecast.latest();
    return new StatedRange(
        Math.min(range.low(), latest),
        Math.min(range.median(), latest),
        Math.min(range.high(), latest));
  }
}
