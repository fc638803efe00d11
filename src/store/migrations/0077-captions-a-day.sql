-- Captions a day: what an egress route bears is learned from its blocks, by all processes together. A job that waits for
-- the next day is claimed by no worker meanwhile.

create table egress_captions (
  route    text not null,              -- as in egress_route
  hour     timestamptz not null,       -- the beginning of the hour (UTC); rows of a day ago are deleted
  captions int not null,               -- tracks whose words came in that hour
  primary key (route, hour)
);

alter table egress_route
  add column captions_per_day double precision,   -- learned: null before the first block; grows with what comes
  add column captions_set int;                    -- the option captionsPerDay as last used, which goes before it

alter table job add column waits_until timestamptz;  -- laid aside until then; null: claimed as soon as there is a place
