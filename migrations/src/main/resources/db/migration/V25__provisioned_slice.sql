-- By which request slices of clusters were had that are somebody's or kept for somebody. A row is written with the
-- grant of its slice, so that whoever runs on it can say what is consumed, after a restart as well.
CREATE TABLE provisioned_slice (
  shard smallint NOT NULL DEFAULT 0,
  slice text NOT NULL,
  namespace text NOT NULL,
  request text NOT NULL,
  class_name text NOT NULL,
  PRIMARY KEY (shard, slice)
);
COMMENT ON COLUMN provisioned_slice.request IS 'the name of a ProvisioningRequest in the namespace';
