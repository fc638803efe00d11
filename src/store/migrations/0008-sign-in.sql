-- Who signs in at the website: better-auth's tables under names of our own, so that its `account` (a
-- way to sign in) is not taken for ours (the owner of keys, money and jobs). Columns are those that
-- better-auth and its passkey plugin expect; test/account/sign-in-tables.test.ts asks them.

create table sign_in_user (
  id              text primary key,
  name            text not null,
  email           text not null unique,
  email_verified  boolean not null,
  image           text,
  account_id      text references account (id), -- ours; null until the first visit with a proven address
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now()
);
create index sign_in_user_account on sign_in_user (account_id); -- a second way in to the same account

create table sign_in_session (
  id          text primary key,
  expires_at  timestamptz not null,
  token       text not null unique,
  ip_address  text,
  user_agent  text,
  user_id     text not null references sign_in_user (id) on delete cascade,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null
);
create index sign_in_session_user on sign_in_session (user_id);

create table sign_in_method (
  id                        text primary key,
  account_id                text not null,      -- the provider's name for the user
  provider_id               text not null,      -- `credential` for a password
  user_id                   text not null references sign_in_user (id) on delete cascade,
  access_token              text,
  refresh_token             text,
  id_token                  text,
  access_token_expires_at   timestamptz,
  refresh_token_expires_at  timestamptz,
  scope                     text,
  password                  text,               -- scrypt, salted
  created_at                timestamptz not null default now(),
  updated_at                timestamptz not null
);
create index sign_in_method_user on sign_in_method (user_id);

create table sign_in_verification (
  id          text primary key,
  identifier  text not null,
  value       text not null,
  expires_at  timestamptz not null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
create index sign_in_verification_identifier on sign_in_verification (identifier);

create table sign_in_passkey (
  id             text primary key,
  name           text,
  public_key     text not null,
  user_id        text not null references sign_in_user (id) on delete cascade,
  credential_id  text not null,
  counter        int not null,
  device_type    text not null,
  backed_up      boolean not null,
  transports     text,
  created_at     timestamptz,
  aaguid         text
);
create index sign_in_passkey_user on sign_in_passkey (user_id);
create index sign_in_passkey_credential on sign_in_passkey (credential_id);

-- What signs cookies and links: made once by whichever machine starts first, the same for all.
create table sign_in_secret (
  id      boolean primary key default true,
  secret  text not null,
  constraint sign_in_secret_is_one check (id)
);
