-- Digest of a request with an idempotency key as it was sent, before compute classes filled in
-- defaults; request_digest is that of the request with them. Null: a server that does not know the
-- column stored the job.
ALTER TABLE job ADD COLUMN sent_digest text;
