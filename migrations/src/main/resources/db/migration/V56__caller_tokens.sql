-- Tokens that the servers issued. A row has hashes only: the token itself is in the answer to the request
-- that created it, and nowhere else.
CREATE TABLE caller_token (
  name text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9@._-]{0,99}$'),
  role text NOT NULL CHECK (role <> ''),
  namespaces text[] NOT NULL,
  -- SHA-256 in hexadecimal digits.
  digest text NOT NULL UNIQUE CHECK (digest ~ '^[0-9a-f]{64}$'),
  -- The token before the last rotation, which is valid until a time.
  former_digest text UNIQUE CHECK (former_digest ~ '^[0-9a-f]{64}$'),
  former_until timestamptz,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  rotated_at timestamptz,
  expires_at timestamptz CHECK (expires_at > created_at),
  -- Written at most once an hour.
  last_used_at timestamptz,
  CHECK ((former_digest IS NULL) = (former_until IS NULL))
);

-- One row. Each change of a token increases the number in its transaction: the lock serializes changes, and
-- servers read the tokens again when the number changes.
CREATE TABLE caller_token_edit (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL
);
INSERT INTO caller_token_edit (number) VALUES (0);
