-- Events of a batch in one compressed row: most of them are read together. A row of this form has the kind
-- 'Packed', position 0 and no body of its own; servers that do not know it read their memory anew from the rows.
ALTER TABLE event ADD COLUMN packed bytea;
ALTER TABLE event ALTER COLUMN packed SET STORAGE EXTERNAL;

-- The inputs that a batch consumed, in the same form. Their rows are deleted when they are consumed; those of earlier
-- batches have consumed_by, and their batches first_input and last_input.
ALTER TABLE batch ADD COLUMN inputs bytea;
ALTER TABLE batch ALTER COLUMN inputs SET STORAGE EXTERNAL;

-- The batches with packed events of a job: the first ones in the row of the job, which changes with each of
-- them anyway; others, and those that do not change the job, in rows of their own.
ALTER TABLE job ADD COLUMN batches bigint[] NOT NULL DEFAULT '{}';
CREATE TABLE job_batch (
  job_id uuid NOT NULL,
  sequence bigint NOT NULL,
  shard smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (job_id, sequence)
);
-- For the deletion of old batches. Rows are written in this order, so that a summary of pages is enough.
CREATE INDEX job_batch_by_sequence ON job_batch USING brin (sequence);
