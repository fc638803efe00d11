-- Attempts (to sign in, to have mails sent) are counted in `rate_bucket`, like requests: one kind of token
-- bucket. No attempt is carried over, so that every limit begins full, as after a crash of the database.

-- Nobody reads it; processes of the release before this one still write it.
alter table rate_bucket alter column is_refused set default false;

-- `attempt_bucket` serves processes of the release before this one, and nobody else: to be dropped, with
-- `rate_bucket.is_refused`, in the next.
