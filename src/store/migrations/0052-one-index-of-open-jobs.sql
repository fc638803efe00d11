-- no transaction
-- job_open_url_set has the same jobs, by account too: a start and an end write to one index less.

drop index concurrently if exists job_open;
