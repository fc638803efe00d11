-- The keys that every machine signs receipts with, and what the payment service told us. Money
-- itself moves in the ledger only; these tables say why.

-- Keys that receipts are signed with. A public key stays published for ever, so that an old receipt
-- can be checked; `private_key` is null where it comes from a setting instead of this table.
create table signing_key (
  id           text primary key,               -- from the public key: receipts name it
  public_key   bytea not null,                 -- Ed25519, raw
  private_key  bytea,                          -- Ed25519, the seed
  created_at   timestamptz not null default now(),
  retired_at   timestamptz,                    -- signs nothing new since then
  constraint signing_key_lengths check (length(public_key) = 32 and length(private_key) = 32)
);
create unique index signing_key_current on signing_key ((true))
  where private_key is not null and retired_at is null;            -- one at a time, whoever makes it first

-- One payment: credited once, taken back by its claims at most as far as it was credited. A claim
-- may be heard of before its payment: then the payment stands here without an account.
create table payment (
  id               text primary key,           -- Stripe's payment intent
  account_id       text references account (id),
  checkout_id      text,
  credited_micros  bigint not null default 0,
  created_at       timestamptz not null default now(),
  constraint payment_credited check (credited_micros >= 0 and (credited_micros > 0) = (account_id is not null)
    and (account_id is null) = (checkout_id is null))
);
create unique index payment_checkout on payment (checkout_id) where checkout_id is not null; -- its entry's reference
create index payment_of_account on payment (account_id) where account_id is not null;        -- listClaims

-- Refunds and disputes: money of a payment that went back.
create table payment_claim (
  id            text primary key,              -- Stripe's refund or dispute
  payment_id    text not null references payment (id),
  kind          text not null,
  status        text not null,                 -- Stripe's word for it, the latest one
  status_at     timestamptz not null,          -- when Stripe said so: older news change nothing
  claimed_micros bigint not null,              -- what it asks back at present
  taken_micros  bigint not null default 0,     -- what the account gave back so far
  moves         int not null default 0,        -- adjustments it caused: part of their reference
  created_at    timestamptz not null default now(),
  constraint payment_claim_kinds check (kind in ('refund', 'dispute')),
  constraint payment_claim_sums check (claimed_micros >= 0 and taken_micros >= 0 and moves >= 0)
);
create index payment_claim_of_payment on payment_claim (payment_id);             -- lockClaims

-- Every event that arrived, with what became of it: one that comes again is recognised here.
create table payment_event (
  id           text primary key,
  type         text not null,
  created_at   timestamptz not null,           -- Stripe's clock
  received_at  timestamptz not null default now(),
  outcome      text not null,
  note         text not null,
  constraint payment_event_outcomes check (outcome in ('credited', 'adjusted', 'noted', 'ignored', 'refused'))
);
create index payment_event_refused on payment_event (received_at) where outcome = 'refused'; -- listRefusedEvents
