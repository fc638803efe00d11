-- The session identities of each egress route, one for each of the platform's apps: an identity that one app was given is
-- reported to be refused to others (2026-11). `visitor_data` and `minted_at` of egress_route are read and written by
-- processes of 2.0.0 alone; the next release drops them.

create table egress_identity (
  route        text not null,          -- as in egress_route
  client       text not null,          -- the client profile's name
  epoch        int not null,           -- the route's when it was given; another one ends it
  visitor_data text not null,          -- the guest's name at the platform
  minted_at    timestamptz not null,   -- used for an hour
  primary key (route, client)
);
