-- no transaction
-- What arrives with captions and cannot be had again: when words are said, of which reply a text was read, and which
-- tracks the video had. Old releases neither read nor write it: what they record has none.

alter table transcript_body add column if not exists word_times bytea;    -- word-times.ts; null: none are known
alter table transcript_body alter column word_times set storage external; -- compressed already

-- The reply from which a text was read: null where it is not known.
alter table transcript
  add column if not exists source_sha256        bytea,        -- of its content, after any Content-Encoding
  add column if not exists source_format        text,         -- as the platform names it: json3, srv3, srv1
  add column if not exists source_bytes         int,          -- of its content
  add column if not exists source_client        text,         -- the name of the client profile that asked
  add column if not exists source_last_modified text,         -- its headers, as they came
  add column if not exists source_etag          text,
  add column if not exists fetched_at           timestamptz;  -- when it was recorded, moments later

-- A list of VideoTrack (video-details.ts); null: none was listed yet.
alter table video_details add column if not exists tracks jsonb;
