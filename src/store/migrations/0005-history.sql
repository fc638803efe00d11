-- What an account knows of each video behind one URL set: how a repeat continues. Written in the
-- commit of the row it follows from; never shared between accounts or URL sets.

create table history (
  account_id    text not null references account (id),
  url_set_hash  text not null,
  video_id      text not null,
  outcome       text not null,                 -- delivered, negative, transient
  tries         int not null,                  -- transient outcomes in a row
  job_id        text not null references job (id), -- the delivering, or last attempting, job
  attempted_at  timestamptz not null,
  published_at  text,                          -- ISO 8601, where an attempt learnt it
  primary key (account_id, url_set_hash, video_id),
  constraint history_outcomes check (outcome in ('delivered', 'negative', 'transient')),
  constraint history_tries check (tries >= 0)
);
