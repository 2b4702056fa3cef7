-- Where objects of clusters stood in Kueue's line that were not taken in yet: written by an import, whole for each
-- cluster, and used up in the transaction that makes a job of the object.
CREATE TABLE kueue_place (
  shard smallint NOT NULL DEFAULT 0,
  cluster text NOT NULL,
  uid uuid NOT NULL,
  waiting_since timestamptz NOT NULL,
  priority integer NOT NULL,
  held boolean NOT NULL,
  PRIMARY KEY (cluster, uid)
);
COMMENT ON COLUMN kueue_place.priority IS 'by which they are taken in one after another; what the job has is found out as at any submission';
COMMENT ON COLUMN kueue_place.held IS 'its Workload was not active: its job is held';
