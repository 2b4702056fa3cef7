-- A trigger before a change locks each row that is about to change, whether its condition holds or not: a record of
-- write-ahead log for each change of a job or an attempt. One after it is asked for a forbidden change only. Later
-- migrations that add to the table lifecycle call this function.
CREATE FUNCTION make_lifecycle_triggers() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed text;
  permitted text;
BEGIN
  FOREACH changed IN ARRAY ARRAY['job', 'attempt'] LOOP
    SELECT string_agg(quote_literal(from_state || '>' || to_state), ', ' ORDER BY from_state, to_state)
      INTO permitted FROM lifecycle WHERE noun = changed;
    EXECUTE format('DROP TRIGGER %I ON %I', changed || '_lifecycle', changed);
    EXECUTE format(
      'CREATE TRIGGER %I AFTER UPDATE OF state ON %I FOR EACH ROW '
      'WHEN (OLD.state <> NEW.state AND OLD.state || ''>'' || NEW.state NOT IN (%s)) '
      'EXECUTE FUNCTION check_lifecycle(%L)',
      changed || '_lifecycle', changed, permitted, changed);
  END LOOP;
END
$$;
SELECT make_lifecycle_triggers();

-- Dispatches are inserted by a query of attempts, and attempts are never deleted: the reference only locked each attempt.
ALTER TABLE attempt_dispatch DROP CONSTRAINT attempt_dispatch_job_id_index_number_fkey;
