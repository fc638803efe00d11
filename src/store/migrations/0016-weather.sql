-- A rest that begins in the future was written before the database's clock was set back: it is over.
-- Without its beginning nobody could tell it from a long one. Null: written by the release before this one.
alter table egress_route add column rested_at timestamptz;

-- Whether the present attempt recorded a row or planned a page: one that is lost after that does not
-- count against the job. False again when the next attempt begins.
alter table job add column has_progress boolean not null default false;
