-- The condition of attempt_ran named the time of the start, so that a start entered all indexes of an
-- attempt again. Ended attempts by the time of their end, whatever came of them.
DROP INDEX attempt_ran;
CREATE INDEX attempt_ended ON attempt (ended_at, job_id, index) WHERE ended_at IS NOT NULL;
