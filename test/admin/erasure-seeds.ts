/** Rows of an account in tables that a short story does not reach, for the test of its deletion. */

/** Words of these rows that nothing else has. */
export const SEEDED_WORDS = ['seeded name', 'seeded note', 'seeded trace']

/** Statements for rows that no short story makes, so that each table of the plan has some. */
export const SEEDS = [
  `insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
    select t.job_id, t.index, 'txt', '', 1, 1, 'hash' from transcript t join job j on j.id = t.job_id
    where j.account_id = $1 limit 1 on conflict do nothing`,
  `insert into transcript_body (job_id, index, body, recorded)
    select t.job_id, t.index, '', '' from transcript t join job j on j.id = t.job_id
    where j.account_id = $1 limit 1 on conflict do nothing`,
  `insert into project (id, account_id, name) values ('project', $1, 'name')`,
  `insert into project_video (account_id, project_id, video_id, language_code, track_kind, job_id, index)
    select $1, 'project', 'vid', 'en', 'asr', t.job_id, t.index from transcript t join job j on j.id = t.job_id
    where j.account_id = $1 limit 1`,
  `insert into list_bookmark (account_id, url_set_hash, line_hash, heads, cursor, listed)
    values ($1, 'set', 'line', '{head}', 'cursor', 1)`,
  `insert into publish_date (account_id, video_id, published_at) values ($1, 'vid', '2026-01-01')
    on conflict do nothing`,
  `insert into account_usage (account_id, day, calls) values ($1, '2026-01-01', 1)`,
  `insert into egress_suspicion (route, subject, account_id, is_contradicted, seen_at)
    values ('direct', 'vid', $1, false, now())`,
  `insert into sign_in_passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
    select 'passkey', 'key', id, 'credential', 0, 'single', false from sign_in_user where account_id = $1`,
  `insert into sign_in_verification (id, identifier, value, expires_at)
    select 'link', 'reset-password:x', id, now() + interval '1 hour' from sign_in_user where account_id = $1`,
  `insert into address_change (confirm_hash, stop_hash, user_id, old_email, new_email, expires_at)
    select 'confirm', 'stop', id, email, 'next-' || email, now() + interval '1 hour' from sign_in_user where account_id = $1`,
  `insert into oauth_client (id, kind, name, redirect_uris) values ('app', 'registered', 'An app', '{}')`,
  `insert into app_connection (id, account_id, client_id, monthly_cap_micros) values ('connection', $1, 'app', 0)`,
  `insert into oauth_grant (id, connection_id, scopes, audience, expires_at)
    values ('grant', 'connection', '{}', '{api}', now() + interval '1 hour')`,
  `insert into oauth_code (code_hash, grant_id, client_id, redirect_uri, challenge, expires_at)
    values ('code', 'grant', 'app', 'x', 'y', now() + interval '1 hour')`,
  `insert into oauth_refresh_token (token_hash, grant_id, expires_at) values ('token', 'grant', now() + interval '1 hour')`,
  `insert into device_login (device_hash, user_code, client_id, scopes, audience, expires_at, grant_id)
    values ('device', 'code', 'app', '{}', '{api}', now() + interval '1 hour', 'grant')`,
  `insert into preview (id, account_id, request_hash, url_set_hash, urls, language, formats, max_videos,
      requested_max_videos, notices, ends_at, expires_at)
    values ('preview', $1, 'hash', 'set', '{line}', 'en', '{text}', 1, 1, '{}', now(), now() + interval '1 hour')`,
  `insert into preview_page (account_id, list_key, place, body) values ($1, 'list', '', '')`,
  `insert into subscription (id, account_id, line, url_set_hash, language, formats, backlog, cap_micros)
    values ('follow', $1, 'line', 'set', 'en', '{text}', 0, 1)`,
  `insert into batch (id, account_id, name, urls, url_set_hash, language, formats, max_videos, skips_owned, notices, state, due_at)
    values ('batch', $1, 'name', '{line}', 'set', 'en', '{text}', 1, true, '{}', 'stopped', null)`,
  `insert into subscription_video (subscription_id, video_id, number, found_at, due_at, young_until)
    values ('follow', 'vid', 1, now(), 'infinity', now())`,
  `insert into subscription_job (subscription_id, slot, job_id, month)
    select 'follow', 1, id, '2026-01' from job where account_id = $1 limit 1`,
  `insert into subscription_mail (account_id, subscription_id, kind) values ($1, 'follow', 'gone')`,
  `update subscription set state = 'paused', next_look_at = null where account_id = $1`,
  `update job set connection_id = 'connection', given_name = 'seeded name', note = 'seeded note',
    traceparent = 'seeded trace' where account_id = $1`,
  `insert into operator (account_id) values ($1)`,
  `insert into operator_proof (session_id, account_id)
    select s.id, $1 from sign_in_session s join sign_in_user u on u.id = s.user_id where u.account_id = $1 limit 1`,
  `insert into sign_up (token_hash, browser_hash, email, password, expires_at)
    select 'token', 'browser', email, 'p', now() + interval '1 hour' from account where id = $1`,
  `insert into mail (to_address, sealed, due_at) select email, '', now() + interval '1 hour' from account where id = $1`,
]
