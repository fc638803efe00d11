-- Egress routes: what all processes share about each way out to the platform. A rate that only one
-- process knew would be exceeded by the next one, and a block that only one knew would be met by all.

create table egress_route (
  name             text primary key,               -- as in EGRESS_ROUTES; rows of routes no longer set stay, unused
  rate_per_minute  double precision not null,      -- adapts: rises with answers, halves at a block
  free_at          timestamptz not null,           -- when the next permit may be used (GCRA)
  lease_starts_at  timestamptz not null,           -- the last lease: its first permit's time
  lease_permits    int not null,                   --   and how many up to free_at
  rest_until       timestamptz,                    -- null: never rested
  blocks           int not null default 0,         -- in a row; the rest grows with them
  streak           int not null default 0,         -- answers since the last block
  epoch            int not null default 1,         -- a new one after each block: a new guest, new connections
  visitor_data     text,                           -- the guest's name at the platform; null until made
  minted_at        timestamptz,
  constraint egress_route_rate check (rate_per_minute > 0),
  constraint egress_route_counts check (blocks >= 0 and streak >= 0 and epoch >= 1 and lease_permits >= 0),
  constraint egress_route_guest check ((visitor_data is null) = (minted_at is null))
);
