-- no transaction
-- The kind of track that an order wishes where a video has both (docs/decisions/0059-what-captions-say.md): 'asr',
-- 'manual', or null for the usual choice. Old releases neither read nor write it: their orders have the usual one.

alter table job add column if not exists wished_track text;
alter table preview add column if not exists wished_track text;
alter table batch add column if not exists wished_track text;
