-- Which versions of the platform's apps it no longer accepts, as workers noticed: each process asks by its own
-- experience, and an operator asks all of them at once (`admin clients`).

create table retired_client (
  name       text not null,                        -- as in the client profiles
  version    text not null,
  retired_at timestamptz not null default now(),   -- when the first process noticed, since it last was accepted
  primary key (name, version)
);
