-- no transaction
-- The texts of 1.0.0 are rewritten: 2.0.0 did so, and no start gets here before it has (too-old.ts). Processes of 2.0.0
-- still read the table and delete from it, and none writes a row. The next release drops it.

alter table transcript_form drop constraint if exists transcript_form_empty;
alter table transcript_form add constraint transcript_form_empty check (false) not valid;
alter table transcript_form validate constraint transcript_form_empty;
