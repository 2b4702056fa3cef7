-- Objects in clusters that their users created and that are jobs here. A row is written with its job: one object
-- is one job, and what its user made of it while it was pending is a version of it, with a job of its own.
CREATE TABLE adopted_object (
  shard smallint NOT NULL DEFAULT 0,
  cluster text NOT NULL,
  uid uuid NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  job_id uuid NOT NULL UNIQUE REFERENCES job,
  kind text NOT NULL,
  namespace text NOT NULL,
  name text NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (cluster, uid, version)
);
COMMENT ON COLUMN adopted_object.digest IS 'of what the object''s user may have decided in it; another one is another version';
