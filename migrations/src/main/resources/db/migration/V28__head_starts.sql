-- How much earlier a job counts as queued among those of its priority, on whose behalf, why and since
-- when; null: not at all. Only the leader writes it.
ALTER TABLE job ADD COLUMN head_start jsonb;

-- The head start that was asked for the job of a try, in milliseconds; 0: none.
ALTER TABLE run_part ADD COLUMN head_start_ms bigint NOT NULL DEFAULT 0
  CHECK (head_start_ms >= 0);
