-- Somebody changes the address that they sign in with (docs/decisions/0045-another-address.md). A change waits here
-- until the link to the new address is opened; once made, its row lets the old address undo it for some days.
create table address_change (
  confirm_hash  bytea primary key,      -- SHA-256 of what the link to the new address carries
  stop_hash     bytea not null unique,  -- likewise in the warning to the old address
  undo_hash     bytea unique,           -- likewise in the word to the old address that it is made; null before
  user_id       text not null references sign_in_user (id) on delete cascade,
  old_email     text not null,
  new_email     text not null,
  asked_at      timestamptz not null default now(),
  made_at       timestamptz,
  expires_at    timestamptz not null,   -- of the link to the new address; once made, of those to the old one
  constraint address_change_made_is_undoable check ((made_at is null) = (undo_hash is null))
);
create unique index address_change_pending on address_change (user_id) where made_at is null; -- the newest only
create index address_change_user on address_change (user_id);
create index address_change_expiry on address_change (expires_at);                            -- the sweep
