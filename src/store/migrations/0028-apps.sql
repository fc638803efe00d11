-- Apps that act for an account by OAuth 2.1 (docs/decisions/0028-apps-by-oauth.md). An access token is an API key of
-- another kind, so that every request is authenticated by the statement it always was.
-- Indexes and validations of tables that others use follow in 0034.
-- formerly: 2096c9697478c2e28ab2d5782c822b13a0231ad34d00db8f0e08e717284480ad

create table oauth_client (
  id            text primary key,               -- ours, or the https address of the document that describes it
  kind          text not null,
  name          text not null,                  -- as the app calls itself: nobody vouches for it
  redirect_uris text[] not null,
  created_at    timestamptz not null default now(),
  read_at       timestamptz not null default now(), -- when the document was fetched
  connected_at  timestamptz,                    -- null: no account ever connected it, and it is swept after a day
  -- own: the command line, the same on every server
  constraint oauth_client_kinds check (kind in ('own', 'registered', 'document'))
);
create index oauth_client_unconnected on oauth_client (created_at) where connected_at is null; -- the sweep, the limit

-- What an account lets an app do. It stays when it is revoked, so that connecting again does not renew the month.
create table app_connection (
  id                  text primary key,
  account_id          text not null references account (id),
  client_id           text not null references oauth_client (id),
  monthly_cap_micros  bigint not null,          -- of what its jobs reserve or are charged in a month of UTC
  created_at          timestamptz not null default now(),
  last_used_at        timestamptz,
  revoked_at          timestamptz,
  constraint app_connection_cap check (monthly_cap_micros >= 0)
);
create unique index app_connection_one on app_connection (account_id, client_id);
create index app_connection_of_client on app_connection (client_id);                        -- the sweep of clients

-- One consent and all tokens that follow from it: they end together.
create table oauth_grant (
  id             text primary key,
  connection_id  text not null references app_connection (id) on delete cascade,
  scopes         text[] not null,
  audience       text[] not null,
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null,          -- of the last that can be used of it
  constraint oauth_grant_audience check (audience <@ array['api', 'mcp'] and cardinality(audience) > 0)
);
create index oauth_grant_of_connection on oauth_grant (connection_id);                      -- deleteGrants
create index oauth_grant_expiry on oauth_grant (expires_at);                                -- the sweep

-- Between the consent and the first token. Unlogged: a crash of the database costs another consent.
create unlogged table oauth_code (
  code_hash     bytea primary key,
  grant_id      text not null references oauth_grant (id) on delete cascade,
  client_id     text not null,
  redirect_uri  text not null,
  challenge     text not null,                  -- SHA-256 of the verifier, in base64url
  expires_at    timestamptz not null,
  used_at       timestamptz                     -- stays for a while: a second use ends the grant
);
create index oauth_code_of_grant on oauth_code (grant_id);                                  -- the cascade

create table oauth_refresh_token (
  token_hash  bytea primary key,
  grant_id    text not null references oauth_grant (id) on delete cascade,
  expires_at  timestamptz not null,
  used_at     timestamptz                       -- stays for a while: a later use ends the grant
);
create index oauth_refresh_token_of_grant on oauth_refresh_token (grant_id);                -- the cascade
create index oauth_refresh_token_expiry on oauth_refresh_token (expires_at);                -- the sweep

-- A program without a browser that waits for its code to be typed at /device. Unlogged: it can be begun again.
create unlogged table device_login (
  device_hash  bytea primary key,
  user_code    text not null unique,
  client_id    text not null references oauth_client (id) on delete cascade,
  scopes       text[] not null,
  audience     text[] not null,
  expires_at   timestamptz not null,
  polled_at    timestamptz,
  is_denied    boolean not null default false,
  grant_id     text references oauth_grant (id) on delete cascade  -- null until somebody allowed it
);
create index device_login_expiry on device_login (expires_at);                              -- the sweep
create index device_login_of_client on device_login (client_id);                            -- the cascade
create index device_login_of_grant on device_login (grant_id);                              -- the cascade

-- Access tokens: null of these means an owner's key, which may do everything.
alter table api_key
  add column connection_id text references app_connection (id),
  add column grant_id      text references oauth_grant (id) on delete cascade,
  add column scopes        text[],
  add column audience      text[];
alter table api_key drop constraint api_key_kinds;
alter table api_key add constraint api_key_kinds check (kind in ('key', 'session', 'app')) not valid;
alter table api_key add constraint api_key_app check (
  (kind = 'app') = (connection_id is not null) and (kind = 'app') = (grant_id is not null)
  and (kind = 'app') = (scopes is not null) and (kind = 'app') = (audience is not null)) not valid;

-- Who spends: null for the owner's own keys and the website.
alter table job add column connection_id text references app_connection (id);
