-- Texts that lie in an object store (TEXT_STORE), many in an object. Where `transcript_body.body` is empty, the body
-- stands there and its address here; `word_times` is empty then, too, where it was not null. Old releases write no such
-- text and can read none: TEXT_STORE is set when no process of theirs is left.

create table packed_text (
  job_id      text not null,
  index       int not null,
  pack        uuid not null,                   -- the object: FOLDER/PACK
  pack_at     int not null,                    -- where the body begins there; the word times stand behind it
  body_bytes  int not null,
  body_crc32  bigint not null,
  times_bytes int,                             -- null: none are kept
  times_crc32 bigint,
  primary key (job_id, index),
  foreign key (job_id, index) references transcript_body (job_id, index) on delete cascade,
  constraint packed_text_numbers check (pack_at >= 0 and body_bytes > 0 and num_nulls(times_bytes, times_crc32) in (0, 2))
);
create index packed_text_pack on packed_text (pack);

-- Packs that hold texts which are deleted: they are written anew without them, and removed.
create table spoilt_pack (
  id   bigint generated always as identity primary key,
  pack uuid not null,
  at   timestamptz not null default now()
);
create index spoilt_pack_pack on spoilt_pack (pack);
create index spoilt_pack_at on spoilt_pack (at);

-- Whatever deletes a text notes its pack, in the same commit. No row is locked that another deletion would wait for.
create or replace function note_spoilt_packs() returns trigger language plpgsql as $$
begin
  insert into spoilt_pack (pack)
  select distinct g.pack from gone g where not exists (select from spoilt_pack s where s.pack = g.pack);
  return null;
end $$;
create trigger packed_text_gone after delete on packed_text referencing old table as gone
  for each statement execute function note_spoilt_packs();

-- One row: the folder of this database's packs, and how far jobs are packed.
create table text_store (
  id           int primary key default 1 check (id = 1),
  folder       uuid not null default gen_random_uuid(),
  packed_until timestamptz not null default 'epoch', -- of final jobs, all that ended earlier
  packed_job   text not null default '',
  listed_at    timestamptz not null default 'epoch'
);

-- Copies of search indexes in the same store, which other hosts fetch instead of building them: objects
-- FOLDER/OBJECT-0 and so on, with the CRC-32 of each.
create table index_copy (
  account_id text primary key references account on delete cascade,
  object     uuid not null,
  format     text not null,                    -- of which release and epoch the index is
  bytes      bigint not null,
  parts      float8[] not null,                -- whole numbers; a list of bigint comes as text
  texts      int not null,
  lost_texts int not null                      -- of the account then: an index has words of texts that are deleted later
);
create index index_copy_object on index_copy (object);
