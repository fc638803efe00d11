-- Looks through those that refer to rows, while everybody works. Months are added ahead by whoever takes the step.
alter table collection_video validate constraint collection_video_job_id_index_fkey;
