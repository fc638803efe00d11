-- The exchange: each table becomes a partition of a new one with its name. No row is read.
set local lock_timeout = '200ms';

alter table video_row rename to video_row_first;
alter index video_row_pkey rename to video_row_first_pkey;
alter index video_row_video rename to video_row_video_first;
alter index video_row_completion rename to video_row_completion_first;
alter index video_row_planned rename to video_row_planned_first;
create table video_row (like video_row_first including defaults including constraints including storage,
  constraint video_row_pkey primary key (job_id, index), foreign key (job_id) references job (id)
) partition by range (job_id);
alter table video_row drop constraint video_row_first;
create unique index video_row_video on video_row (job_id, video_id) where video_id is not null;
create unique index video_row_completion on video_row (job_id, done) where done is not null;
create index video_row_planned on video_row (job_id, index) where status is null;
alter table video_row attach partition video_row_first for values from (minvalue) to (':cut');

do $$
declare
  whole text;
begin
  foreach whole in array array['transcript', 'transcript_form', 'transcript_body'] loop
    execute format('alter table %I rename to %I', whole, whole || '_first');
    execute format('alter index %I rename to %I', whole || '_pkey', whole || '_first_pkey');
    execute format('create table %I (like %I including defaults including constraints including storage, '
      'constraint %I primary key (%s)) partition by range (job_id)', whole, whole || '_first', whole || '_pkey',
      case whole when 'transcript_form' then 'job_id, index, form' else 'job_id, index' end);
    execute format('alter table %I drop constraint %I', whole, whole || '_first');
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
      whole, whole || '_first', ':cut');
  end loop;
end
$$;

-- This one refers to rows of all months. That it is so of those that are there is looked through afterwards.
alter table collection_video drop constraint collection_video_job_id_index_fkey;
alter table collection_video add constraint collection_video_job_id_index_fkey
  foreign key (job_id, index) references video_row (job_id, index) not valid;

-- The first id that a job may have that is made at this instant (RFC 9562, version 7).
create function first_job_id(made_at timestamptz) returns text language sql immutable strict as $$
  select substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7000-8000-000000000000'
  from lpad(to_hex((extract(epoch from made_at) * 1000)::bigint), 12, '0') as h
$$;

-- A month's tables, for ids from `from_id` to before `to_id`. What belongs together refers to each other within the month.
-- The names of indexes that the code knows begin as those of the whole table do.
create function add_month(month text, from_id text, to_id text) returns void language plpgsql as $$
declare
  whole text;
  part text;
  refers text[];
begin
  foreach whole in array array['video_row', 'transcript', 'transcript_form', 'transcript_body'] loop
    part := whole || '_' || month;
    execute format('create table %I (like %I including defaults including constraints including storage)', part, whole);
    execute format('alter table %I add primary key (%s)', part,
      case whole when 'transcript_form' then 'job_id, index, form' else 'job_id, index' end);
  end loop;
  execute format('create unique index %I on %I (job_id, video_id) where video_id is not null',
    'video_row_video_' || month, 'video_row_' || month);
  execute format('create unique index %I on %I (job_id, done) where done is not null',
    'video_row_completion_' || month, 'video_row_' || month);
  execute format('create index %I on %I (job_id, index) where status is null',
    'video_row_planned_' || month, 'video_row_' || month);
  execute format('alter table %I add foreign key (job_id) references job (id)', 'video_row_' || month);
  foreach refers slice 1 in array
    array[['transcript', 'video_row'], ['transcript_form', 'transcript'], ['transcript_body', 'transcript']] loop
    execute format('alter table %I add foreign key (job_id, index) references %I (job_id, index)',
      refers[1] || '_' || month, refers[2] || '_' || month);
  end loop;
  foreach whole in array array['video_row', 'transcript', 'transcript_form', 'transcript_body'] loop
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      whole, whole || '_' || month, from_id, to_id);
  end loop;
end
$$;
