-- By when attempts have to start and to make progress. Jobs from before have the usual deadlines.
ALTER TABLE job
  ADD COLUMN start_deadline_ms bigint NOT NULL DEFAULT 300000 CHECK (start_deadline_ms > 0),
  ADD COLUMN progress_deadline_ms bigint CHECK (progress_deadline_ms > 0),
  ADD COLUMN on_stall text NOT NULL DEFAULT 'FAIL' CHECK (on_stall IN ('REPORT', 'FAIL'));

ALTER TABLE attempt
  ADD COLUMN progress_at timestamptz,
  ADD COLUMN progress_text text NOT NULL DEFAULT '',
  ADD COLUMN stalled_since timestamptz;

-- What callers said of the virtual provider, over what the fleet file says: how slices of a type
-- come (no time: never), which slices it took away, and which hosts have failed.
CREATE TABLE supply_said (
  shard smallint NOT NULL DEFAULT 0,
  capacity_type text NOT NULL,
  grant_after_ms bigint CHECK (grant_after_ms >= 0),
  out_of_stock boolean NOT NULL,
  PRIMARY KEY (shard, capacity_type)
);
CREATE TABLE slice_taken (
  shard smallint NOT NULL DEFAULT 0,
  slice text NOT NULL,
  PRIMARY KEY (shard, slice)
);
CREATE TABLE host_failed (
  shard smallint NOT NULL DEFAULT 0,
  host text NOT NULL,
  PRIMARY KEY (shard, host)
);
