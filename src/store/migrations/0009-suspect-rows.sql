-- A worker can die of what it reads. Before it reads something that is large, or anything at all after its
-- predecessor was lost, it writes its attempt's number beside the row; a later attempt that finds the number
-- of a lost one leaves that video out. See docs/decisions/0010-one-turn-of-the-loop.md.

alter table video_row
  add column suspect_attempt int,                  -- the attempt that was reading about this video; null: none
  add constraint video_row_suspect check (suspect_attempt >= 1);
