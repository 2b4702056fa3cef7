-- SPDX-License-Identifier: Apache-2.0

-- Ended jobs leave the tables of live work after a time, with their attempts and allocations. The archive is divided by the
-- month in which a job was created, so that a month can be detached, exported and dropped as a whole.
CREATE TABLE archived_job (LIKE job INCLUDING STORAGE) PARTITION BY RANGE (created_at);
ALTER TABLE archived_job ADD PRIMARY KEY (id, created_at);
CREATE INDEX archived_job_by_age ON archived_job (created_at, id);
CREATE INDEX archived_job_by_name ON archived_job (namespace, name, created_at);
CREATE INDEX archived_job_by_namespace ON archived_job (namespace, created_at, id);

-- The executor is that of the attempt's last dispatch; null: it was not dispatched.
CREATE TABLE archived_attempt (
  job_created_at timestamptz NOT NULL, executor text, LIKE attempt INCLUDING STORAGE
) PARTITION BY RANGE (job_created_at);
ALTER TABLE archived_attempt ADD PRIMARY KEY (job_id, index, number, job_created_at);
CREATE INDEX archived_attempt_ended ON archived_attempt (ended_at, job_id, index);

CREATE TABLE archived_slice_allocation (
  job_created_at timestamptz NOT NULL, LIKE slice_allocation INCLUDING STORAGE
) PARTITION BY RANGE (job_created_at);
ALTER TABLE archived_slice_allocation ADD PRIMARY KEY (shard, slice, from_sequence, job_created_at);
CREATE INDEX archived_slice_allocation_by_start ON archived_slice_allocation (from_at, from_sequence);
CREATE INDEX archived_slice_allocation_held
  ON archived_slice_allocation USING gist (tstzrange(from_at, greatest(from_at, to_at)));
CREATE INDEX archived_slice_allocation_of_attempt ON archived_slice_allocation (job_id, index, attempt);

CREATE TABLE archived_audit (LIKE audit INCLUDING STORAGE) PARTITION BY RANGE (at);
ALTER TABLE archived_audit ADD PRIMARY KEY (id, at);
CREATE INDEX archived_audit_of_caller ON archived_audit (caller, id);
CREATE INDEX archived_audit_of_object ON archived_audit (kind, namespace, name, id);

-- What callers read: rows that are archived, and rows that are not.
CREATE VIEW any_job AS SELECT * FROM job UNION ALL SELECT * FROM archived_job;
CREATE VIEW any_attempt AS
  SELECT job_id, index, number, shard, generation, state, cluster_queue, assignment, displaced, admitted_at, started_at,
    draining_at, ended_at, requeued_not_before, drain, outcome, cause, message, counts_as_failure, progress_at,
    progress_text, stalled_since, last_resize, checkpoint, terms, checkpoint_saved
  FROM attempt
  UNION ALL
  SELECT job_id, index, number, shard, generation, state, cluster_queue, assignment, displaced, admitted_at, started_at,
    draining_at, ended_at, requeued_not_before, drain, outcome, cause, message, counts_as_failure, progress_at,
    progress_text, stalled_since, last_resize, checkpoint, terms, checkpoint_saved
  FROM archived_attempt;
CREATE VIEW any_slice_allocation AS
  SELECT shard, slice, from_sequence, to_sequence, job_id, index, attempt, from_generation, to_generation, from_at, to_at
  FROM slice_allocation
  UNION ALL
  SELECT shard, slice, from_sequence, to_sequence, job_id, index, attempt, from_generation, to_generation, from_at, to_at
  FROM archived_slice_allocation;
CREATE VIEW any_audit AS SELECT * FROM audit UNION ALL SELECT * FROM archived_audit;

-- Makes the tables of a month of the archive, unless they are there. Returns false, and makes none, if one was detached
-- and is still there. A table is attached when it is complete: readers of the archive do not wait, as they would for
-- CREATE TABLE ... PARTITION OF.
CREATE FUNCTION add_archive_month(month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  first timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
  next timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
  parents text[] := ARRAY['archived_job', 'archived_attempt', 'archived_slice_allocation', 'archived_audit'];
  suffix text := to_char(month, '_YYYY_MM');
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('sluice'), hashtext('months of the archive'));
  IF EXISTS (
    SELECT FROM unnest(parents) AS p (parent) JOIN pg_class c ON c.oid = to_regclass(p.parent || suffix)
    WHERE NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = p.parent::regclass AND inhrelid = c.oid)
  ) THEN
    RETURN false;
  END IF;
  FOREACH parent IN ARRAY parents LOOP
    IF to_regclass(parent || suffix) IS NULL THEN
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', parent || suffix, parent);
      EXECUTE format(
        'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, parent || suffix, first, next);
    END IF;
  END LOOP;
  RETURN true;
END
$$;

-- These rows stay when their jobs are archived.
ALTER TABLE adopted_object DROP CONSTRAINT adopted_object_job_id_fkey;
ALTER TABLE run_part DROP CONSTRAINT run_part_job_id_fkey;
