-- What is there, and what comes until the cut, will be the first partition.
set local lock_timeout = '200ms';
alter table video_row add constraint video_row_first check (job_id < ':cut') not valid;
alter table transcript add constraint transcript_first check (job_id < ':cut') not valid;
alter table transcript_form add constraint transcript_form_first check (job_id < ':cut') not valid;
alter table transcript_body add constraint transcript_body_first check (job_id < ':cut') not valid;
