-- The last change of a job's time limit after its submission. time_limit_ms keeps the submitted one,
-- because the journal refers to it.
ALTER TABLE job ADD COLUMN limit_change jsonb;
