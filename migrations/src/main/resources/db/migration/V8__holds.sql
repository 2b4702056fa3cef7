-- Who holds a job, and since when; null: nobody. Only the leader writes it.
ALTER TABLE job ADD COLUMN held_by text;
ALTER TABLE job ADD COLUMN held_at timestamptz;
ALTER TABLE job ADD CONSTRAINT job_hold_whole CHECK ((held_by IS NULL) = (held_at IS NULL));
CREATE INDEX job_held ON job (created_at, id) WHERE held_by IS NOT NULL;
