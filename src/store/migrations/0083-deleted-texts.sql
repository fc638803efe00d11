-- no transaction
-- Texts that their owner deleted (docs/decisions/0030-erasure-and-keeping.md): since when a row has none, how many such
-- rows a job has and since when the last, and until when a collection's texts were to go, while that is not done. Old releases neither read nor
-- write them, and find the rows without words.

alter table video_row add column if not exists text_deleted_at timestamptz;
alter table job add column if not exists deleted_texts int not null default 0;
alter table job add column if not exists deleted_texts_at timestamptz;
alter table collection add column if not exists texts_go_until timestamptz;

drop index concurrently if exists collection_deleting;
create index concurrently collection_deleting on collection (texts_go_until)
  where texts_go_until is not null;                               -- listDeletingCollections
