-- Suspicions: answers of an egress route that may be a block or the video's own. A route rests for everybody only
-- when they are of two videos and two accounts, and one process may see one of them only. Unlogged: they are an
-- hour old at most, and void with the next delivery on their route.

create unlogged table egress_suspicion (
  route            text not null,
  subject          text not null,              -- the video or list that was asked for
  account_id       text not null,              -- on whose behalf; 'operator' is nobody's job
  is_contradicted  boolean not null,           -- another route or visitor was given the same video
  seen_at          timestamptz not null,
  primary key (route, subject, account_id)
);

-- What was suspected before the last delivery is void. Null: nothing was delivered yet.
alter table egress_route add column delivered_at timestamptz;
