-- Erasure: accounts that are deleted for good, and texts that are kept for a limited time. Columns that may be null
-- cost a table of any size nothing; their indexes and checks follow in 0030, which locks nobody out.

-- Null: not deleted. Set in the commit that ends its jobs and its access; from then on its email is nobody's.
alter table account
  add column deleted_at timestamptz,
  add column erased_at timestamptz;              -- nothing of it is left but what src/accounts/erasure-plan.ts keeps

alter table job
  add column texts_deleted_at timestamptz,       -- its stored forms are gone, its rows and their hashes are not
  add column erased_at timestamptz,              -- its rows are gone, and what was asked for
  add column receipt_sha256 text;                -- what a receipt of it must hash to, since the rows that tell it are gone

-- Checked again in 0030, where nobody waits for it.
alter table operator_act drop constraint operator_act_names;
alter table operator_act add constraint operator_act_names
  check (act in ('suspend_account', 'resume_account', 'cancel_job', 'delete_account')) not valid;
