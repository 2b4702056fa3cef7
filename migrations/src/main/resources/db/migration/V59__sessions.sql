-- Sessions of browsers. A row has the hash of the session's secret, and no rights: those of a session of a token
-- are the present ones of the token, those of a session of an identity provider are the roles of its user.
CREATE TABLE caller_session (
  id uuid PRIMARY KEY,
  -- SHA-256 in hexadecimal digits.
  digest text NOT NULL UNIQUE CHECK (digest ~ '^[0-9a-f]{64}$'),
  caller text NOT NULL CHECK (caller <> ''),
  -- As the identity provider told at the sign-in.
  groups text[] NOT NULL,
  -- SHA-256 of the token that the session was made with; null: the caller signed in at the identity provider.
  token_digest text CHECK (token_digest ~ '^[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL,
  -- Written at most every ten minutes.
  last_used_at timestamptz,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at)
);

-- The sessions of a caller, of which the oldest ends when there are too many.
CREATE INDEX caller_session_by_caller ON caller_session (caller, created_at, id);
CREATE INDEX caller_session_by_expiry ON caller_session (expires_at);

-- One row, as caller_token_edit.
CREATE TABLE caller_session_edit (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL
);
INSERT INTO caller_session_edit (number) VALUES (0);
