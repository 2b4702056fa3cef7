-- Who leads a shard. A commit checks the epoch under a lock on this row, so a leader that lost its
-- place writes nothing. All shards are led by one leader now.
CREATE TABLE leader (
  shard smallint PRIMARY KEY,
  epoch bigint NOT NULL CHECK (epoch >= 1),
  holder text NOT NULL,
  since timestamptz NOT NULL
);

-- The journal: one batch a round, without gaps. Batch n refers to batch n - 1.
CREATE TABLE batch (
  shard smallint NOT NULL,
  sequence bigint NOT NULL CHECK (sequence >= 1),
  previous bigint GENERATED ALWAYS AS (NULLIF(sequence - 1, 0)) STORED,
  epoch bigint NOT NULL,
  decided_at timestamptz NOT NULL,
  committed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  engine_version text NOT NULL,
  PRIMARY KEY (shard, sequence),
  FOREIGN KEY (shard, previous) REFERENCES batch (shard, sequence)
);

CREATE TABLE event (
  shard smallint NOT NULL,
  sequence bigint NOT NULL,
  position integer NOT NULL CHECK (position >= 0),
  kind text NOT NULL,
  job_id uuid,
  body jsonb NOT NULL,
  PRIMARY KEY (shard, sequence, position)
);
CREATE INDEX event_of_job ON event (job_id, sequence, position) WHERE job_id IS NOT NULL;

-- What came from outside. Not yet consumed is a property of the row, never a comparison of ids: a
-- row that commits late is found all the same.
CREATE TABLE input (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shard smallint NOT NULL DEFAULT 0,
  kind text NOT NULL,
  job_id uuid,
  body jsonb NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  consumed_by bigint
);
CREATE INDEX input_unconsumed ON input (shard, id) WHERE consumed_by IS NULL;

-- Which state may follow which, from one committed round to the next.
CREATE TABLE lifecycle (
  noun text NOT NULL CHECK (noun IN ('job', 'attempt')),
  from_state text NOT NULL,
  to_state text NOT NULL,
  PRIMARY KEY (noun, from_state, to_state)
);
INSERT INTO lifecycle (noun, from_state, to_state) VALUES
  ('job', 'SUBMITTED', 'PENDING'), ('job', 'SUBMITTED', 'ADMITTED'), ('job', 'SUBMITTED', 'DRAINING'),
  ('job', 'SUBMITTED', 'CANCELLED'),
  ('job', 'PENDING', 'ADMITTED'), ('job', 'PENDING', 'DRAINING'), ('job', 'PENDING', 'CANCELLED'),
  ('job', 'ADMITTED', 'PENDING'), ('job', 'ADMITTED', 'RUNNING'), ('job', 'ADMITTED', 'DRAINING'),
  ('job', 'ADMITTED', 'SUCCEEDED'), ('job', 'ADMITTED', 'FAILED'), ('job', 'ADMITTED', 'CANCELLED'),
  ('job', 'RUNNING', 'PENDING'), ('job', 'RUNNING', 'ADMITTED'), ('job', 'RUNNING', 'DRAINING'),
  ('job', 'RUNNING', 'SUCCEEDED'), ('job', 'RUNNING', 'FAILED'), ('job', 'RUNNING', 'CANCELLED'),
  ('job', 'DRAINING', 'PENDING'), ('job', 'DRAINING', 'ADMITTED'), ('job', 'DRAINING', 'RUNNING'),
  ('job', 'DRAINING', 'SUCCEEDED'), ('job', 'DRAINING', 'FAILED'), ('job', 'DRAINING', 'CANCELLED'),
  ('attempt', 'ADMITTED', 'RUNNING'), ('attempt', 'ADMITTED', 'DRAINING'), ('attempt', 'ADMITTED', 'ENDED'),
  ('attempt', 'RUNNING', 'DRAINING'), ('attempt', 'RUNNING', 'ENDED'),
  ('attempt', 'DRAINING', 'ENDED');

CREATE FUNCTION check_lifecycle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM lifecycle
    WHERE noun = TG_ARGV[0] AND from_state = OLD.state AND to_state = NEW.state
  ) THEN
    RAISE EXCEPTION '% cannot go from % to %', TG_ARGV[0], OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;

-- What jobs ask for. Many jobs ask for the same, so a million of them are read back at the price of
-- as many rows of plain columns.
CREATE TABLE workload_shape (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest text NOT NULL UNIQUE,
  body jsonb NOT NULL
);

-- Jobs. What was submitted never changes and is written by whoever took it; from "state" on, only
-- the leader writes. One idempotency key of a namespace is one job.
CREATE TABLE job (
  id uuid PRIMARY KEY,
  shard smallint NOT NULL DEFAULT 0,
  namespace text NOT NULL,
  name text NOT NULL,
  local_queue text NOT NULL,
  cluster_queue text NOT NULL,
  priority_class text,
  priority integer NOT NULL,
  preemptible boolean NOT NULL,
  shape_id bigint NOT NULL REFERENCES workload_shape,
  time_limit_ms bigint CHECK (time_limit_ms > 0),
  grace_period_ms bigint NOT NULL CHECK (grace_period_ms >= 0),
  max_failures integer NOT NULL CHECK (max_failures >= 0),
  index_count integer NOT NULL CHECK (index_count >= 1),
  max_parallel integer NOT NULL CHECK (max_parallel >= 1),
  labels jsonb NOT NULL,
  manifest json NOT NULL,
  idempotency_key text,
  request_digest text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'SUBMITTED' CHECK (state IN (
    'SUBMITTED', 'PENDING', 'ADMITTED', 'RUNNING', 'DRAINING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  succeeded int4multirange NOT NULL DEFAULT '{}',
  failed int4multirange NOT NULL DEFAULT '{}',
  cancelled_by text,
  message text NOT NULL DEFAULT '',
  finished_at timestamptz,
  changed_by bigint,
  CHECK (NOT succeeded && failed),
  CHECK (succeeded <@ int4range(0, index_count) AND failed <@ int4range(0, index_count)),
  CHECK ((state IN ('SUCCEEDED', 'FAILED', 'CANCELLED')) = (finished_at IS NOT NULL)),
  CHECK ((idempotency_key IS NULL) = (request_digest IS NULL))
);
CREATE UNIQUE INDEX job_idempotency ON job (namespace, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX job_by_age ON job (created_at, id);
CREATE INDEX job_by_name ON job (namespace, name, created_at);
CREATE INDEX job_live ON job (shard, namespace, local_queue)
  WHERE state NOT IN ('SUCCEEDED', 'FAILED', 'CANCELLED');
CREATE TRIGGER job_lifecycle BEFORE UPDATE OF state ON job
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_lifecycle('job');

-- Attempts. An index has at most one that has not ended.
CREATE TABLE attempt (
  job_id uuid NOT NULL REFERENCES job,
  index integer NOT NULL CHECK (index >= 0),
  number integer NOT NULL CHECK (number >= 1),
  shard smallint NOT NULL DEFAULT 0,
  generation integer NOT NULL CHECK (generation >= 1),
  state text NOT NULL CHECK (state IN ('ADMITTED', 'RUNNING', 'DRAINING', 'ENDED')),
  cluster_queue text NOT NULL,
  assignment jsonb NOT NULL,
  displaced uuid[] NOT NULL,
  admitted_at timestamptz NOT NULL,
  started_at timestamptz,
  draining_at timestamptz,
  ended_at timestamptz,
  requeued_not_before timestamptz,
  drain jsonb,
  outcome text,
  cause text,
  message text NOT NULL DEFAULT '',
  counts_as_failure boolean NOT NULL DEFAULT false,
  PRIMARY KEY (job_id, index, number),
  CHECK ((state = 'ENDED') = (ended_at IS NOT NULL AND outcome IS NOT NULL))
);
CREATE UNIQUE INDEX attempt_current ON attempt (job_id, index) WHERE state <> 'ENDED';
CREATE INDEX attempt_live ON attempt (shard) WHERE state <> 'ENDED';
CREATE TRIGGER attempt_lifecycle BEFORE UPDATE OF state ON attempt
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_lifecycle('attempt');

-- Who holds or held which slice. A slice serves at most one attempt at a time.
CREATE TABLE slice_allocation (
  shard smallint NOT NULL DEFAULT 0,
  slice text NOT NULL,
  from_sequence bigint NOT NULL,
  to_sequence bigint CHECK (to_sequence > from_sequence),
  job_id uuid NOT NULL,
  index integer NOT NULL,
  attempt integer NOT NULL,
  from_generation integer NOT NULL,
  to_generation integer CHECK (to_generation >= from_generation),
  from_at timestamptz NOT NULL,
  to_at timestamptz,
  PRIMARY KEY (shard, slice, from_sequence),
  FOREIGN KEY (job_id, index, attempt) REFERENCES attempt (job_id, index, number),
  CHECK ((to_sequence IS NULL) = (to_at IS NULL))
);
CREATE UNIQUE INDEX slice_allocation_live ON slice_allocation (shard, slice) WHERE to_sequence IS NULL;
CREATE INDEX slice_allocation_of_attempt ON slice_allocation (job_id, index, attempt);

-- Claims on room that victims free. A slice is claimed for at most one index.
CREATE TABLE claim (
  job_id uuid NOT NULL REFERENCES job,
  index integer NOT NULL,
  shard smallint NOT NULL DEFAULT 0,
  body jsonb NOT NULL,
  PRIMARY KEY (job_id, index)
);
CREATE TABLE claimed_slice (
  shard smallint NOT NULL DEFAULT 0,
  slice text NOT NULL,
  job_id uuid NOT NULL,
  index integer NOT NULL,
  PRIMARY KEY (shard, slice),
  FOREIGN KEY (job_id, index) REFERENCES claim ON DELETE CASCADE
);
