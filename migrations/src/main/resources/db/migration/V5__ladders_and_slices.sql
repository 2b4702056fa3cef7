-- How far a job has come on the ladder of its compute class, by the rungs' numbers.
ALTER TABLE job ADD COLUMN ladder jsonb;

-- Slices that are not simply there: absent, leaving, kept for somebody, or about to be given back.
CREATE TABLE slice_standing (
  shard smallint NOT NULL DEFAULT 0,
  slice text NOT NULL,
  condition text NOT NULL CHECK (condition IN ('ABSENT', 'READY', 'LEAVING')),
  kept_for_job uuid,
  kept_for_rung integer CHECK (kept_for_rung >= 0),
  until timestamptz,
  PRIMARY KEY (shard, slice),
  CHECK ((kept_for_job IS NULL) = (kept_for_rung IS NULL)),
  CHECK (kept_for_job IS NULL OR condition = 'READY'),
  CHECK (condition <> 'READY' OR until IS NOT NULL),
  CHECK (condition <> 'ABSENT' OR until IS NULL)
);

CREATE INDEX workload_shape_compute_class ON workload_shape ((body ->> 'computeClass'))
  WHERE body ->> 'computeClass' IS NOT NULL;
