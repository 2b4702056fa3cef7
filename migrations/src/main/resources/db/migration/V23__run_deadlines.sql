-- By when a run is wanted, when it is expected to have ended, and until when it is kept.
ALTER TABLE pipeline_run
  ADD COLUMN deadline timestamptz,
  ADD COLUMN expected_earliest timestamptz,
  ADD COLUMN expected_latest timestamptz,
  ADD COLUMN expected_at timestamptz,
  ADD COLUMN lateness text CHECK (lateness IN ('IN_TIME', 'MAY_BE_LATE', 'WILL_BE_LATE', 'LATE')),
  ADD COLUMN keep_for interval NOT NULL DEFAULT interval '90 days',
  ADD COLUMN keep_until timestamptz,
  ADD CHECK ((expected_earliest IS NULL) = (expected_latest IS NULL));
UPDATE pipeline_run SET keep_until = ended_at + keep_for WHERE ended_at IS NOT NULL;
ALTER TABLE pipeline_run ADD CHECK ((keep_until IS NULL) = (ended_at IS NULL));
CREATE INDEX pipeline_run_kept ON pipeline_run (keep_until) WHERE keep_until IS NOT NULL;

-- What changed in whether a run will be in time.
CREATE TABLE run_event (
  run_id uuid NOT NULL REFERENCES pipeline_run ON DELETE CASCADE,
  number integer NOT NULL CHECK (number >= 1),
  at timestamptz NOT NULL,
  lateness text NOT NULL,
  message text NOT NULL,
  PRIMARY KEY (run_id, number)
);
