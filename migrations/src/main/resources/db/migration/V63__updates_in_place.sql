-- A live job or attempt changes its state several times. Where no index has a changed column, in its
-- condition neither, PostgreSQL writes the new version into the same page and no index (HOT). The
-- time of the end says the same as the state and changes once.
DROP INDEX job_live;
CREATE INDEX job_live ON job (shard, namespace, local_queue) WHERE finished_at IS NULL;
DROP INDEX job_live_of_submitter;
CREATE INDEX job_live_of_submitter ON job (submitted_by, namespace, local_queue)
  WHERE finished_at IS NULL;
DROP INDEX job_live_of_name;
CREATE INDEX job_live_of_name ON job (name, namespace, created_at) WHERE finished_at IS NULL;
DROP INDEX attempt_current;
CREATE UNIQUE INDEX attempt_current ON attempt (job_id, index) WHERE ended_at IS NULL;
DROP INDEX attempt_live;
CREATE INDEX attempt_live ON attempt (shard) WHERE ended_at IS NULL;

-- Room for new versions in the same page.
ALTER TABLE job SET (fillfactor = 70);
ALTER TABLE attempt SET (fillfactor = 70);

-- These tables keep their ended rows and change the newest ones, so a share of all rows is too late.
ALTER TABLE job SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE attempt SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE input SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0.05);

-- The trigger ran a query for each row. Its condition now has the permitted changes, so that the
-- function runs for a forbidden one only. A migration that adds to the table lifecycle must make the
-- triggers anew.
DO $$
DECLARE
  changed text;
  permitted text;
BEGIN
  FOREACH changed IN ARRAY ARRAY['job', 'attempt'] LOOP
    SELECT string_agg(quote_literal(from_state || '>' || to_state), ', ' ORDER BY from_state, to_state)
      INTO permitted FROM lifecycle WHERE noun = changed;
    EXECUTE format('DROP TRIGGER %I ON %I', changed || '_lifecycle', changed);
    EXECUTE format(
      'CREATE TRIGGER %I BEFORE UPDATE OF state ON %I FOR EACH ROW '
      'WHEN (OLD.state <> NEW.state AND OLD.state || ''>'' || NEW.state NOT IN (%s)) '
      'EXECUTE FUNCTION check_lifecycle(%L)',
      changed || '_lifecycle', changed, permitted, changed);
  END LOOP;
END
$$;
