-- Who may call: accounts own everything else; API keys and sessions of the website act for them.
-- A key's secret is 256 random bits shown once, so a plain sha-256 is enough to keep it by.

create table account (
  id          text primary key,
  email       text not null,
  jobs        int not null default 0,      -- how many it ever started: listJobs' total
  created_at  timestamptz not null default now()
);
create unique index account_email on account (lower(email)); -- findAccountByEmail; one account each

create table api_key (
  id            text primary key,
  account_id    text not null references account (id),
  name          text not null,
  prefix        text not null,                 -- the part that stays visible
  secret_hash   bytea not null,                -- sha-256 of the whole key
  kind          text not null default 'key',
  bucket        text not null,                 -- whose tokens it spends: its own, or its account's sessions'
  bucket_size   int not null,                  -- tokens at most
  refill        double precision not null,     -- tokens a second
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,                   -- null: never
  last_used_at  timestamptz,
  revoked_at    timestamptz,
  constraint api_key_secret_length check (length(secret_hash) = 32),
  constraint api_key_kinds check (kind in ('key', 'session')),
  constraint api_key_bucket_positive check (bucket_size > 0 and refill > 0)
);
create unique index api_key_secret on api_key (secret_hash);      -- authenticate
create index api_key_of_account on api_key (account_id, kind);    -- listKeys, revokeSessions

-- Token buckets of all processes. Unlogged: after a crash of the database every bucket is full
-- again, which harms nobody; a clean restart keeps them.
create unlogged table rate_bucket (
  id          text primary key,
  tokens      double precision not null,
  is_refused  boolean not null,                -- whether the latest request found no token
  updated_at  timestamptz not null
);
