-- What each LocalQueue had used of late when something was last admitted from it or ended, by
-- resource, in counted units. It is a function of the events, kept so that nobody reads them all.
CREATE TABLE local_queue_usage (
  shard smallint NOT NULL DEFAULT 0,
  namespace text NOT NULL,
  name text NOT NULL,
  resource text NOT NULL,
  amount numeric(60, 12) NOT NULL CHECK (amount >= 0),
  settled_at timestamptz NOT NULL,
  PRIMARY KEY (shard, namespace, name, resource)
);
