-- Who changed what. A row is written in the transaction of the change itself.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  caller text NOT NULL,
  role text NOT NULL,
  action text NOT NULL,
  kind text NOT NULL,
  namespace text NOT NULL,
  name text NOT NULL,
  job_id uuid,
  detail jsonb NOT NULL
);
CREATE INDEX audit_of_caller ON audit (caller, id);
CREATE INDEX audit_of_object ON audit (kind, namespace, name, id);

-- Who submitted a job; empty for those from before callers were known.
ALTER TABLE job ADD COLUMN submitted_by text NOT NULL DEFAULT '';
CREATE INDEX job_live_of_submitter ON job (submitted_by, namespace, local_queue)
  WHERE state NOT IN ('SUCCEEDED', 'FAILED', 'CANCELLED');
