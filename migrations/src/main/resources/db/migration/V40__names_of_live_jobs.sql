-- Finds live jobs by name in any namespace without a look at those that have ended, which may be
-- many and of the same name.
CREATE INDEX job_live_of_name ON job (name, namespace, created_at)
  WHERE state NOT IN ('SUCCEEDED', 'FAILED', 'CANCELLED');
