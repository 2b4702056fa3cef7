-- Codes with which a browser begins a session once, soon after its user has asked for it on the command line. As of
-- sessions, a row has a hash and no rights.
CREATE TABLE sign_in_code (
  -- SHA-256 in hexadecimal digits.
  digest text PRIMARY KEY CHECK (digest ~ '^[0-9a-f]{64}$'),
  caller text NOT NULL CHECK (caller <> ''),
  groups text[] NOT NULL,
  -- SHA-256 of the token of the user who asked; null: the identity provider named the user.
  token_digest text CHECK (token_digest ~ '^[0-9a-f]{64}$'),
  -- When the credential of the user who asked expires; null: it does not.
  credential_until timestamptz,
  expires_at timestamptz NOT NULL
);

CREATE INDEX sign_in_code_by_expiry ON sign_in_code (expires_at);
