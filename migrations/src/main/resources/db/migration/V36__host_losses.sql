-- How many hosts a job lost in a row, and when the last of them was counted. A server that does not
-- know the columns leaves them as they are.
ALTER TABLE job ADD COLUMN host_losses integer NOT NULL DEFAULT 0 CHECK (host_losses >= 0);
ALTER TABLE job ADD COLUMN host_lost_at timestamptz;
