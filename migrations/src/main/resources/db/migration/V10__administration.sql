-- The priority class that a job was given after its submission, and what it meant then; null: it has
-- the one that it was submitted with. Only the leader writes it.
ALTER TABLE job
  ADD COLUMN changed_priority_class text,
  ADD COLUMN changed_priority integer,
  ADD COLUMN changed_preemptible boolean,
  ADD COLUMN priority_changed_at timestamptz;
ALTER TABLE job ADD CONSTRAINT job_priority_change_whole CHECK (
  num_nulls(changed_priority_class, changed_priority, changed_preemptible, priority_changed_at)
    IN (0, 4));

-- How long all attempts of an index may be admitted together; null: for ever.
ALTER TABLE job ADD COLUMN max_execution_ms bigint CHECK (max_execution_ms > 0);
