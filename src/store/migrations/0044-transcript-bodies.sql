-- The words of a transcript once, instead of every form of it: from a body each form is made when it is read. Transcripts
-- that are stored as members stay so; a transcript has either its forms or a body.

create table transcript_body (
  job_id   text not null,
  index    int not null,
  body     bytea not null,                     -- transcript-body.ts: times and texts, compressed
  recorded bytea not null,                     -- of each form: its name, length, CRC-32 and SHA-256
  primary key (job_id, index),
  foreign key (job_id, index) references transcript (job_id, index)
);
alter table transcript_body alter column body set storage external; -- compressed already

-- Forms that were made of bodies and compressed, for downloads that need their compressed length or bytes: a cache,
-- bounded by PACKED_FORMS_MB, made again from the body. Unlogged: it costs no WAL, and a crash empties it.
create unlogged table packed_form (
  job_id     text not null,
  index      int not null,
  form       text not null,
  gzip       bytea not null,
  size_bytes int not null,
  crc32      bigint not null,
  sha256     text not null,                    -- in hex
  made_at    timestamptz not null default now(),
  primary key (job_id, index, form),
  foreign key (job_id, index) references transcript_body (job_id, index) on delete cascade,
  constraint packed_form_names check (form in ('txt', 'srt', 'vtt', 'json', 'text')),
  constraint packed_form_numbers check (size_bytes >= 0 and crc32 between 0 and 4294967295)
);
alter table packed_form alter column gzip set storage external;
create index packed_form_made on packed_form (made_at); -- which were made first
