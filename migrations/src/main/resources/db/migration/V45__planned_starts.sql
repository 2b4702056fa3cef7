-- The planned start of a job, and the batch that wrote it. A server that does not know the columns
-- changes a job without them, so a planned start counts only while planned_by equals changed_by.
ALTER TABLE job
  ADD COLUMN planned_start jsonb,
  ADD COLUMN planned_by bigint;

-- Settings of the installation, which all servers of a database share.
CREATE TABLE installation_setting (
  name text PRIMARY KEY,
  value text NOT NULL
);

-- How ClusterQueues are served that do not say so themselves: as in Kueue, until an administrator
-- sets another default.
INSERT INTO installation_setting (name, value) VALUES ('queueing', 'kueue');

UPDATE quota_object
SET manifest = jsonb_set(manifest, '{metadata,annotations}',
  coalesce(manifest #> '{metadata,annotations}', '{}') || '{"sluice.io/queueing": "kueue"}')
WHERE kind = 'ClusterQueue'
  AND manifest -> 'metadata' -> 'annotations' ->> 'sluice.io/queueing' IS NULL;

UPDATE observed_object
SET manifest = jsonb_set(manifest, '{metadata,annotations}',
  coalesce(manifest #> '{metadata,annotations}', '{}') || '{"sluice.io/queueing": "kueue"}')
WHERE kind = 'ClusterQueue'
  AND manifest -> 'metadata' -> 'annotations' ->> 'sluice.io/queueing' IS NULL;
