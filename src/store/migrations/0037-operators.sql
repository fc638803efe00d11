-- Operators at the website: who has the role, their second factor, and every act in one log.

-- The role is an account's, given by the command alone.
create table operator (
  account_id   text primary key references account (id),
  granted_at   timestamptz not null default now(),
  secret       text,                            -- of the second factor, sealed; null until the first visit
  enrolled_at  timestamptz,                     -- null until a first code proved that the secret arrived
  last_step    bigint,                          -- the latest period whose code was taken: each is good once
  constraint operator_factor check (enrolled_at is null or secret is not null)
);

-- Sessions whose visitor showed a code. Gone with the session, and with the role.
create table operator_proof (
  session_id  text primary key references sign_in_session (id) on delete cascade,
  account_id  text not null references operator (account_id) on delete cascade,
  proved_at   timestamptz not null default now()
);
create index operator_proof_operator on operator_proof (account_id); -- its cascade

-- A check is of no account. `detail`: what came of it, or how much was added.
alter table operator_act
  alter column account_id drop not null,
  add column detail text;

-- Checked again in 0038, where nobody waits for it.
alter table operator_act drop constraint operator_act_names;
alter table operator_act add constraint operator_act_names
  check (act in ('suspend_account', 'resume_account', 'cancel_job', 'delete_account', 'add_credit', 'grant_operator',
    'revoke_operator', 'enrol_factor', 'prove_factor', 'verify_ledger', 'run_doctor')) not valid;
alter table operator_act drop constraint operator_act_reason;
alter table operator_act add constraint operator_act_reason
  check (reason is not null or act not in ('suspend_account', 'cancel_job', 'delete_account', 'add_credit')) not valid;
alter table operator_act add constraint operator_act_account
  check ((account_id is null) = (act in ('verify_ledger', 'run_doctor'))) not valid;
