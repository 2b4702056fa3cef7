-- The objects in clusters that run attempts. An object is written here before it may run, by who leads then.
CREATE TABLE cluster_object (
  shard smallint NOT NULL DEFAULT 0,
  cluster text NOT NULL,
  uid uuid NOT NULL,
  job_id uuid NOT NULL,
  index integer NOT NULL,
  number integer NOT NULL,
  generation integer NOT NULL CHECK (generation >= 1),
  kind text NOT NULL,
  namespace text NOT NULL,
  name text NOT NULL,
  resource_version text NOT NULL,
  kept boolean NOT NULL,
  PRIMARY KEY (cluster, uid),
  FOREIGN KEY (job_id, index, number) REFERENCES attempt ON DELETE CASCADE
);
COMMENT ON COLUMN cluster_object.kept IS 'whether it stays in its cluster when it has ended: it is its user''s own';
CREATE INDEX cluster_object_of_attempt ON cluster_object (job_id, index, number);
