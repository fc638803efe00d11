-- no transaction
-- The last refusal of a followed video, and whether a look was told since that its captions would come. Old releases
-- neither read nor write them: a video whose refusal is not known begins its days with the next one.

alter table subscription_video add column if not exists refused_as text; -- OutcomeName (asked-again.ts)
alter table subscription_video add column if not exists is_offered boolean not null default false;
