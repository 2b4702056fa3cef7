-- Pipelines as they are now, and each version that there was.
CREATE TABLE pipeline (
  namespace text NOT NULL,
  name text NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  manifest jsonb NOT NULL,
  runs bigint NOT NULL DEFAULT 0 CHECK (runs >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  PRIMARY KEY (namespace, name)
);
CREATE TABLE pipeline_version (
  namespace text NOT NULL,
  name text NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  manifest jsonb NOT NULL,
  saved_at timestamptz NOT NULL,
  saved_by text NOT NULL,
  PRIMARY KEY (namespace, name, version)
);

-- Runs. One schedule makes at most one of a logical time; those begun by hand have no schedule.
CREATE TABLE pipeline_run (
  id uuid PRIMARY KEY,
  namespace text NOT NULL,
  pipeline text NOT NULL,
  version integer NOT NULL,
  number bigint NOT NULL CHECK (number >= 1),
  schedule text,
  logical_time timestamptz NOT NULL,
  parameters jsonb NOT NULL,
  state text NOT NULL CHECK (state IN
    ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SKIPPED')),
  ending text CHECK (ending IN ('FAILED', 'CANCELLED')),
  reason text NOT NULL DEFAULT '',
  created_by text NOT NULL,
  created_role text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  -- When it is to be looked at again though no job of it has ended.
  due_at timestamptz,
  FOREIGN KEY (namespace, pipeline, version) REFERENCES pipeline_version (namespace, name, version),
  UNIQUE (namespace, pipeline, number),
  CHECK ((state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'SKIPPED')) = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX pipeline_run_fire ON pipeline_run (namespace, pipeline, schedule, logical_time)
  WHERE schedule IS NOT NULL;
CREATE INDEX pipeline_run_by_age ON pipeline_run (created_at, id);
CREATE INDEX pipeline_run_due ON pipeline_run (due_at) WHERE state IN ('QUEUED', 'RUNNING');

CREATE TABLE run_step (
  run_id uuid NOT NULL REFERENCES pipeline_run ON DELETE CASCADE,
  step text NOT NULL,
  state text NOT NULL CHECK (state IN
    ('WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SKIPPED')),
  reason text NOT NULL DEFAULT '',
  started_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (run_id, step)
);

-- Tries of parts of steps, each with at most one job, and each job of at most one.
CREATE TABLE run_part (
  run_id uuid NOT NULL,
  step text NOT NULL,
  part integer NOT NULL CHECK (part >= 0),
  try integer NOT NULL CHECK (try >= 1),
  tries_before integer NOT NULL CHECK (tries_before >= 0),
  state text NOT NULL CHECK (state IN ('WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  job_id uuid UNIQUE REFERENCES job,
  -- JSON as text, since it is only handed on; and why what was written is none.
  output text CHECK (length(output) <= 131072),
  output_problem text NOT NULL DEFAULT '',
  cause text,
  message text NOT NULL DEFAULT '',
  -- Whether the part was to be run again though this try had succeeded.
  superseded boolean NOT NULL DEFAULT false,
  not_before timestamptz NOT NULL,
  started_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (run_id, step, part, try),
  FOREIGN KEY (run_id, step) REFERENCES run_step ON DELETE CASCADE
);
CREATE INDEX run_part_running ON run_part (job_id) WHERE state = 'RUNNING';
