-- Who was evicted for whom since something last changed from outside: nobody evicts the same index
-- twice in that time.
CREATE TABLE eviction (
  shard smallint NOT NULL DEFAULT 0,
  job_id uuid NOT NULL REFERENCES job,
  index integer NOT NULL CHECK (index >= 0),
  preemptor_job_id uuid NOT NULL REFERENCES job,
  preemptor_index integer NOT NULL CHECK (preemptor_index >= 0),
  PRIMARY KEY (job_id, index, preemptor_job_id, preemptor_index)
);
