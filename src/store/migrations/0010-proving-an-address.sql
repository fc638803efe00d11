-- Nobody is a user before the address is proven (docs/decisions/0011-proving-an-address.md). What somebody
-- claims of an address waits in `sign_up`, apart from all users; the constraint keeps it so.

-- Users that were not proven had no account and could not sign in: their owners sign up anew.
delete from sign_in_user where not email_verified;
alter table sign_in_user add constraint sign_in_user_is_proven check (email_verified);

-- A sign-up whose link is not opened yet. Unlogged: losing one costs its owner a second sign-up, and no
-- backup holds it. Several may wait for one address, each with its own link, password and browser.
create unlogged table sign_up (
  token_hash    bytea primary key,      -- SHA-256 of what the mailed link carries
  browser_hash  bytea not null,         -- SHA-256 of the cookie of the browser that signed up
  email         text not null,
  password      text not null,          -- scrypt, salted
  expires_at    timestamptz not null
);
create index sign_up_email on sign_up (email);           -- forgetting the others once one is confirmed
create index sign_up_expiry on sign_up (expires_at);     -- the sweep

-- What the cookie carries is not kept any more, only its SHA-256: sessions from before have ended.
delete from sign_in_session;
alter table sign_in_session add constraint sign_in_session_token_is_hashed check (length(token) = 43);
create index sign_in_session_expiry on sign_in_session (expires_at);            -- the sweep
delete from sign_in_verification;
create index sign_in_verification_expiry on sign_in_verification (expires_at);  -- the sweep

-- Attempts (to sign in, to have mails sent), each limit a bucket: `full_at` is when it is full again, and
-- then its row says nothing any more. Unlogged: full again after a crash of the database.
create unlogged table attempt_bucket (
  id       text primary key,
  full_at  timestamptz not null
);
create index attempt_bucket_full_at on attempt_bucket (full_at);                -- the sweep
delete from rate_bucket where id like 'try:%' or id like 'mail:%';
