-- Schedules of the pipelines that there are. Which logical times have had their fire is a matter of
-- considered_to, and of the runs (pipeline_run_fire): Quartz only wakes.
CREATE TABLE pipeline_schedule (
  namespace text NOT NULL,
  pipeline text NOT NULL,
  name text NOT NULL,
  -- As Quartz reads it: one line, or two where both day fields are set.
  quartz text[] NOT NULL CHECK (cardinality(quartz) BETWEEN 1 AND 2),
  time_zone text NOT NULL,
  paused boolean NOT NULL,
  -- All logical times up to this one have been dealt with.
  considered_to timestamptz NOT NULL,
  next_time timestamptz,
  -- When next_time is due, its jitter included; null: paused, or it fires no more.
  due_at timestamptz,
  -- Fires that were missed and not made up for, and the last time that happened.
  missed bigint NOT NULL DEFAULT 0 CHECK (missed >= 0),
  missed_at timestamptz,
  missed_reason text NOT NULL DEFAULT '',
  saved_by text NOT NULL,
  saved_role text NOT NULL,
  PRIMARY KEY (namespace, pipeline, name),
  FOREIGN KEY (namespace, pipeline) REFERENCES pipeline (namespace, name) ON DELETE CASCADE,
  CHECK (due_at IS NULL OR next_time IS NOT NULL)
);
CREATE INDEX pipeline_schedule_due ON pipeline_schedule (due_at) WHERE due_at IS NOT NULL;

-- Goes on with each change of which lines Quartz is to have triggers of.
CREATE SEQUENCE pipeline_schedule_edit;

-- Past logical times that somebody wants runs of, from one on and before another.
CREATE TABLE backfill (
  id uuid PRIMARY KEY,
  namespace text NOT NULL,
  pipeline text NOT NULL,
  schedule text NOT NULL,
  from_time timestamptz NOT NULL,
  to_time timestamptz NOT NULL CHECK (to_time > from_time),
  max_parallel integer NOT NULL CHECK (max_parallel >= 1),
  -- Of the schedule when it was asked for: a later edit does not change which times are meant.
  cron text NOT NULL,
  time_zone text NOT NULL,
  times integer NOT NULL CHECK (times >= 1),
  begun integer NOT NULL DEFAULT 0 CHECK (begun >= 0),
  there_before integer NOT NULL DEFAULT 0 CHECK (there_before >= 0),
  considered_to timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('RUNNING', 'ENDED', 'CANCELLED')),
  reason text NOT NULL DEFAULT '',
  created_by text NOT NULL,
  created_role text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz,
  CHECK ((state = 'RUNNING') = (ended_at IS NULL))
);
CREATE INDEX backfill_running ON backfill (created_at, id) WHERE state = 'RUNNING';
CREATE INDEX backfill_by_age ON backfill (created_at, id);

ALTER TABLE pipeline_run ADD COLUMN backfill_id uuid REFERENCES backfill;
CREATE INDEX pipeline_run_of_backfill ON pipeline_run (backfill_id, state)
  WHERE backfill_id IS NOT NULL;
CREATE INDEX pipeline_run_live ON pipeline_run (namespace, pipeline, schedule, logical_time)
  WHERE state IN ('QUEUED', 'RUNNING') AND schedule IS NOT NULL;
