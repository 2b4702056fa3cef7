// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads the cost of a job so far: chips it held, times hours, times price. */
public final class CostReader {
  private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);
  private static final int PLACES = 6;

  /**
   * Chip-seconds of all attempts of a job, by price. Each slice counts for the time it was held, so
   * that resizes make no difference.
   */
  private static final String CHIP_SECONDS =
      """
      SELECT (a.terms ->> 'pricePerChipHour')::numeric AS price,
        sum(chips.number * held.seconds) AS chip_seconds
      FROM any_attempt a
      CROSS JOIN LATERAL (
        SELECT coalesce(sum((p -> 'usage' ->> 'google.com/tpu')::numeric), 0)
          / greatest(1, jsonb_array_length(a.assignment -> 'slices')) AS number
        FROM jsonb_array_elements(a.assignment -> 'podSets') p) chips
      CROSS JOIN LATERAL (
        SELECT CASE jsonb_array_length(a.assignment -> 'slices')
          WHEN 0 THEN greatest(0, extract(epoch FROM
            coalesce(a.ended_at, clock_timestamp()) - a.admitted_at))
          ELSE (
            SELECT coalesce(sum(greatest(0, extract(epoch FROM
              coalesce(s.to_at, clock_timestamp()) - s.from_at))), 0)
            FROM any_slice_allocation s
            WHERE s.job_id = a.job_id AND s.index = a.index AND s.attempt = a.number)
          END AS seconds) held
      WHERE a.job_id = ?
      GROUP BY price
      """;

  private final DataSource database;

  public CostReader(DataSource database) {
    this.database = database;
  }

  /**
   * The cost of a job.
   *
   * @param estimated in the currency of its class, rounded once to six places
   * @param chipHours chip-hours with a price
   * @param unpricedChipHours chip-hours without a price
   */
  public record Cost(BigDecimal estimated, BigDecimal chipHours, BigDecimal unpricedChipHours) {}

  private record Part(@Nullable BigDecimal price, BigDecimal chipSeconds) {}

  /**
   * The cost of a job so far; null if none of its attempts has a price.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public @Nullable Cost find(JobId job) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(CHIP_SECONDS)) {
      select.setObject(1, job.value());
      return cost(Columns.readAll(select, CostReader::part));
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the cost of a job", failure);
    }
  }

  private static Part part(ResultSet row) throws SQLException {
    return new Part(row.getBigDecimal("price"), row.getBigDecimal("chip_seconds"));
  }

  private static @Nullable Cost cost(List<Part> parts) {
    BigDecimal cost = BigDecimal.ZERO;
    BigDecimal priced = BigDecimal.ZERO;
    BigDecimal unpriced = BigDecimal.ZERO;
    boolean any = false;
    for (Part part : parts) {
      if (part.price() == null) {
        unpriced = unpriced.add(part.chipSeconds());
      } else {
        any = true;
        priced = priced.add(part.chipSeconds());
        cost = cost.add(part.price().multiply(part.chipSeconds()));
      }
    }
    return any ? new Cost(hours(cost), hours(priced), hours(unpriced)) : null;
  }

  private static BigDecimal hours(BigDecimal ofSeconds) {
    return ofSeconds.divide(SECONDS_PER_HOUR, PLACES, RoundingMode.HALF_UP);
  }
}
