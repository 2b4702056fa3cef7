-- Whether this database is a copy of another, or was restored from a backup of one; at most one row a shard.
CREATE TABLE detachment (
  shard smallint PRIMARY KEY DEFAULT 0,
  origin text NOT NULL CHECK (origin IN ('copied', 'restored')),
  detached_at timestamptz NOT NULL DEFAULT now(),
  keeps_from_clusters boolean NOT NULL
);
COMMENT ON COLUMN detachment.keeps_from_clusters IS 'whether objects in clusters may be those of an original that still runs';
