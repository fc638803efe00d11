-- no transaction
-- Whether an order leaves out videos that its account owns by another one. Old releases neither read nor write it:
-- their jobs and previews are orders as before, and what they follow leaves out what is owned from the next look on.

alter table job add column if not exists skips_owned boolean not null default false;
alter table preview add column if not exists skips_owned boolean not null default false;
alter table subscription add column if not exists skips_owned boolean not null default true;

drop index concurrently if exists history_delivered;
create index concurrently history_delivered on history (account_id, video_id)
  where outcome = 'delivered';                                    -- readOwnedTexts
