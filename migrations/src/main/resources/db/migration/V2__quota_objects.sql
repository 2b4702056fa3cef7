-- Quota objects as administrators write them. What refers to one keeps it from being deleted.
CREATE TABLE quota_object (
  kind text NOT NULL,
  namespace text NOT NULL,
  name text NOT NULL,
  generation bigint NOT NULL CHECK (generation >= 1),
  manifest jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (kind, namespace, name)
);

CREATE TABLE quota_reference (
  from_kind text NOT NULL,
  from_namespace text NOT NULL,
  from_name text NOT NULL,
  to_kind text NOT NULL,
  to_namespace text NOT NULL,
  to_name text NOT NULL,
  PRIMARY KEY (from_kind, from_namespace, from_name, to_kind, to_namespace, to_name),
  FOREIGN KEY (from_kind, from_namespace, from_name) REFERENCES quota_object ON DELETE CASCADE,
  FOREIGN KEY (to_kind, to_namespace, to_name) REFERENCES quota_object
    DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX quota_reference_to ON quota_reference (to_kind, to_namespace, to_name);

-- The same objects, and the fleet, as the engine has consumed them.
CREATE TABLE observed_object (
  shard smallint NOT NULL DEFAULT 0,
  kind text NOT NULL,
  namespace text NOT NULL,
  name text NOT NULL,
  generation bigint NOT NULL,
  manifest jsonb NOT NULL,
  sequence bigint NOT NULL,
  PRIMARY KEY (shard, kind, namespace, name)
);

CREATE TABLE observed_fleet (
  shard smallint PRIMARY KEY DEFAULT 0,
  manifest jsonb NOT NULL,
  sequence bigint NOT NULL
);
