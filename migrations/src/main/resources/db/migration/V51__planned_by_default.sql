-- ClusterQueues that do not say how they are served are planned in a new database. A database that has
-- had a leader or quota objects keeps its default.
UPDATE installation_setting SET value = 'planned'
WHERE name = 'queueing'
  AND NOT EXISTS (SELECT FROM leader)
  AND NOT EXISTS (SELECT FROM quota_object);
