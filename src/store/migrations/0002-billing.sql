-- Money, in micros (millionths of a USD). The ledger is append-only; a balance is the sum of its
-- account's entries, kept beside them because every job asks for it. The shapes of billing/ledger.ts
-- stand here again as constraints, so that no code path can write another movement.

create table balance (
  account_id     text primary key references account (id),
  posted_micros  bigint not null default 0,
  held_micros    bigint not null default 0,
  entries        bigint not null default 0,    -- how many entries the sums hold
  head           text not null default repeat('0', 64), -- hash of the newest entry
  constraint balance_held_not_negative check (held_micros >= 0),
  constraint balance_available_not_negative check (posted_micros - held_micros >= 0)
);

create table ledger_entry (
  account_id     text not null references account (id),
  number         bigint not null,              -- 1, 2, 3 … within the account
  kind           text not null,
  posted_micros  bigint not null,
  held_micros    bigint not null,
  reference      text not null,                -- what it stands for, once: reserve:<jobId>, …
  job_id         text,
  reason         text,
  created_at     timestamptz not null,
  previous_hash  text not null,                -- SHA-256 in hex, of the entry before
  hash           text not null,                -- and of this one with it: ledger.ts says over what
  primary key (account_id, number),
  constraint ledger_entry_shape check (
    case kind
      when 'top_up'  then posted_micros > 0 and held_micros = 0
      when 'adjust'  then posted_micros <> 0 and held_micros = 0
      when 'reserve' then posted_micros = 0 and held_micros > 0
      when 'charge'  then posted_micros < 0 and held_micros = posted_micros
      when 'release' then posted_micros = 0 and held_micros < 0
      else false
    end),
  constraint ledger_entry_job check ((kind in ('reserve', 'charge', 'release')) = (job_id is not null)),
  constraint ledger_entry_reason check (kind <> 'adjust' or reason is not null),
  constraint ledger_entry_hashes check (length(previous_hash) = 64 and length(hash) = 64)
);
create unique index ledger_entry_reference on ledger_entry (reference);
create index ledger_entry_of_job on ledger_entry (job_id) where job_id is not null; -- receipts, verify
