/**
 * What a backup holds: every table and column of ours is named here, as kept or as left out. A table or
 * column named in neither stops a backup and fails a test, so that no decision is forgotten.
 *
 * Unlogged tables (rate limits, caches) are left out as such: a crash of the database empties them.
 */

/** Columns by name, separated by blanks. */
export type KeptTable = { keep: string; leaveOut?: string; rows?: string }

export type BackupPlan = {
  kept: Record<string, KeptTable>
  /** With the reason. */
  leftOut: Record<string, string>
}

const ROW_STATUSES =
  'success no_captions language_not_available private unavailable blocked_suspect invalid_url failed truncated skipped unchanged'

export const BACKUP_PLAN: BackupPlan = {
  kept: {
    account: { keep: 'id email jobs created_at suspended_at' },
    api_key: {
      keep: 'id account_id name prefix secret_hash kind bucket bucket_size refill created_at expires_at last_used_at revoked_at',
      // The bearers of sessions would outlive a sign-out.
      rows: `kind = 'key'`,
    },
    balance: { keep: 'account_id posted_micros held_micros entries head' },
    ledger_entry: {
      keep: 'account_id number kind posted_micros held_micros reference job_id reason created_at previous_hash hash',
    },
    payment: { keep: 'id account_id checkout_id credited_micros created_at' },
    payment_claim: {
      keep: 'id payment_id kind status status_at claimed_micros taken_micros moves created_at',
    },
    payment_event: { keep: 'id type created_at received_at outcome note' },
    signing_key: { keep: 'id public_key private_key created_at retired_at' },
    job: {
      keep: `id account_id state created_at finished_at error urls url_set_hash language formats max_videos requested_max_videos
        published_after published_before after_at before_at notices idempotency_key body_hash reserved_micros charged_micros
        attempt is_held lost_attempts has_progress started_at is_planned plan slots_used discovered processed ${ROW_STATUSES}`,
    },
    job_source: { keep: 'job_id position line state cursor listed heads', leaveOut: 'copy_id' }, // copies are a cache
    video_row: {
      keep: `job_id index source video_id title url channel_name published_at status label error_message language_code track_kind
        done finished_at suspect_attempt`,
    },
    transcript: { keep: 'job_id index text_hash words' },
    transcript_form: { keep: 'job_id index form gzip size_bytes crc32 sha256' },
    history: {
      keep: 'account_id url_set_hash video_id outcome tries job_id attempted_at published_at',
    },
    free_calls: { keep: 'account_id day listing refused' },
    list_bookmark: {
      keep: 'account_id url_set_hash line_hash after_at before_at heads cursor listed kept_at',
    },
    operator_act: { keep: 'id act account_id job_id actor reason done_at' },
    account_usage: { keep: 'account_id day calls received_bytes cpu_ms stored_bytes' },
    egress_route: {
      keep: 'name rate_per_minute free_at lease_starts_at lease_permits rest_until rested_at blocks streak epoch visitor_data minted_at',
    },
    sign_in_user: { keep: 'id name email email_verified image account_id created_at updated_at' },
    sign_in_method: {
      keep: 'id account_id provider_id user_id scope password created_at updated_at',
      // A provider's rights to act for its user; sign-in needs none of them again.
      leaveOut:
        'access_token refresh_token id_token access_token_expires_at refresh_token_expires_at',
    },
    sign_in_passkey: {
      keep: 'id name public_key user_id credential_id counter device_type backed_up transports created_at aaguid',
    },
  },
  leftOut: {
    migration: 'the target has its own',
    sign_in_session:
      'whoever reads the file would be signed in, and a session would outlive its sign-out',
    sign_in_verification: 'links and challenges that are under way, of an hour at most',
    sign_in_secret:
      'signs cookies and links; each database makes its own, so that none of before are valid',
  },
}

/** The names in one of the plan's lists. */
export function namesIn(list = ''): string[] {
  return list.split(/\s+/).filter((name) => name !== '')
}
