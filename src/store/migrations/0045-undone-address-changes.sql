-- no transaction
-- Undoing a change of address ends what came with it (docs/decisions/0045-another-address.md).

-- A hash, since what a provider's sign-in keeps there may be longer than a sorted index takes.
drop index concurrently if exists sign_in_verification_value;
create index concurrently sign_in_verification_value on sign_in_verification using hash (value); -- deleteLinksOf

alter table webhook add column if not exists url_set_at timestamptz; -- null: it has its first address

alter table operator_act drop constraint if exists operator_act_names;
alter table operator_act add constraint operator_act_names
  check (act in ('suspend_account', 'resume_account', 'cancel_job', 'delete_account', 'add_credit', 'grant_operator',
    'revoke_operator', 'enrol_factor', 'prove_factor', 'clear_factor', 'verify_ledger', 'run_doctor')) not valid;
alter table operator_act validate constraint operator_act_names;
