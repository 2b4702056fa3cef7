-- When waiting jobs were expected to start, as first stated to people, and when they started. One row
-- for each job that waited for its first admission; the newest 100,000 are kept. Times are seconds from
-- the statement; infinity: the job might not start at all.
CREATE TABLE start_estimate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id uuid NOT NULL UNIQUE,
  cluster_queue text NOT NULL,
  stated_at timestamptz NOT NULL,
  -- The forecast, before it was corrected by what came of earlier ones.
  forecast_low_s double precision NOT NULL,
  forecast_median_s double precision NOT NULL,
  forecast_high_s double precision NOT NULL,
  -- The 10th, 50th and 90th percentile that were stated.
  low_s double precision NOT NULL CHECK (low_s >= 0),
  median_s double precision NOT NULL CHECK (median_s >= low_s),
  high_s double precision NOT NULL CHECK (high_s >= median_s),
  -- What came.
  waited_s double precision CHECK (waited_s >= 0),
  settled_at timestamptz,
  CHECK ((waited_s IS NULL) = (settled_at IS NULL))
);
CREATE INDEX start_estimate_open ON start_estimate (job_id) WHERE waited_s IS NULL;
CREATE INDEX start_estimate_settled ON start_estimate (settled_at) WHERE waited_s IS NOT NULL;
CREATE INDEX start_estimate_of_queue ON start_estimate (cluster_queue) WHERE waited_s IS NOT NULL;

-- Run times of attempts that were not cut short, by their end.
CREATE INDEX attempt_ran ON attempt (ended_at)
  WHERE outcome IN ('SUCCEEDED', 'FAILED', 'TIMED_OUT') AND started_at IS NOT NULL;
