-- no transaction
-- What is given once outlives the account that it was given to (docs/decisions/0058-what-is-given-once.md). `beneficiary` is
-- a random name for whoever owns a mailbox: their accounts, one after the other or side by side, share it.

create table if not exists given_once (
  mailbox_hash bytea primary key,       -- HMAC-SHA-256 of the mailbox; no address is kept
  beneficiary     text not null,
  is_welcomed  boolean not null,        -- whether the welcome credit was given
  kept_from    date not null            -- the month in which an account last got, or left, the address; no instant, which would
                                        -- lead to the row of that account
);
create index if not exists given_once_beneficiary on given_once (beneficiary);
create index if not exists given_once_kept on given_once (kept_from); -- sweeping

-- In backups, unlike sign_in_secret: a restored database has to recognise the same mailboxes.
create table if not exists mailbox_key (
  id  boolean primary key default true,
  key bytea not null,
  constraint mailbox_key_is_one check (id)
);

alter table account add column if not exists beneficiary text; -- null: not remembered yet, or deleted
create index concurrently if not exists account_beneficiary on account (beneficiary) where beneficiary is not null;
create index concurrently if not exists account_unremembered on account (id) where beneficiary is null and deleted_at is null;

-- The work of a day is counted for the beneficiary, and under the account's id only where the account has none.
alter table free_calls drop constraint if exists free_calls_account_id_fkey;
