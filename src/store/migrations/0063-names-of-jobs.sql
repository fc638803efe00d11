-- no transaction
-- What customers call their jobs, and what they note about them. Old releases neither read nor write them.

alter table job
  add column if not exists given_name text, -- null: called by what it is about
  add column if not exists note text;
alter table job
  drop constraint if exists job_names,
  add constraint job_names check (char_length(given_name) between 1 and 120) not valid;
alter table job validate constraint job_names;
alter table job
  drop constraint if exists job_notes,
  add constraint job_notes check (char_length(note) between 1 and 2000) not valid;
alter table job validate constraint job_notes;
