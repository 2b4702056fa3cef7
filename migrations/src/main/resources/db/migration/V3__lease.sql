-- The lead is a lease, by the database's clock. Without an end it is that of a server from before
-- leases, which the epoch fences.
ALTER TABLE leader
  ADD COLUMN url text,
  ADD COLUMN expires_at timestamptz;

-- Makes the epoch part of a key: a commit holds the key (FOR KEY SHARE), so taking the lead waits
-- for it; a renewal changes no key and does not.
CREATE UNIQUE INDEX leader_epoch ON leader (shard, epoch);
