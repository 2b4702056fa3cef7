-- By what policy the leader of an epoch decides: a past decision is recomputed by the same.
CREATE TABLE leadership (
  shard smallint NOT NULL,
  epoch bigint NOT NULL CHECK (epoch >= 1),
  policy jsonb NOT NULL,
  PRIMARY KEY (shard, epoch)
);

-- What the engine remembered after a batch. Its parts are one stream, written while the engine goes
-- on; without "completed_at" it is of no use yet.
CREATE TABLE snapshot (
  shard smallint NOT NULL,
  sequence bigint NOT NULL CHECK (sequence >= 0),
  epoch bigint NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamptz,
  jobs integer NOT NULL CHECK (jobs >= 0),
  bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  PRIMARY KEY (shard, sequence)
);
CREATE TABLE snapshot_part (
  shard smallint NOT NULL,
  sequence bigint NOT NULL,
  part integer NOT NULL CHECK (part >= 0),
  body bytea NOT NULL,
  PRIMARY KEY (shard, sequence, part),
  FOREIGN KEY (shard, sequence) REFERENCES snapshot ON DELETE CASCADE
);
-- It is compressed already.
ALTER TABLE snapshot_part ALTER COLUMN body SET STORAGE EXTERNAL;

-- Between which numbers the inputs of a batch are, so that they are found without an index on who
-- consumed them; null: it consumed none, or was decided before this was written down.
ALTER TABLE batch
  ADD COLUMN first_input bigint,
  ADD COLUMN last_input bigint,
  ADD CONSTRAINT batch_inputs CHECK (
    (first_input IS NULL) = (last_input IS NULL) AND first_input <= last_input);

-- Batch n follows batch n - 1, which may be deleted when it is old: so this is looked at when n is
-- written, and no longer refers to it.
ALTER TABLE batch DROP COLUMN previous;
CREATE FUNCTION check_batch_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.sequence > 1 AND NOT EXISTS (
    SELECT 1 FROM batch WHERE shard = NEW.shard AND sequence = NEW.sequence - 1
  ) THEN
    RAISE EXCEPTION 'batch % does not follow the last batch', NEW.sequence
      USING ERRCODE = 'foreign_key_violation', TABLE = 'batch';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER batch_follows BEFORE INSERT ON batch
  FOR EACH ROW EXECUTE FUNCTION check_batch_follows();
