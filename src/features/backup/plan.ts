/**
 * What a backup holds: every table and column of ours is named here, as kept or as left out. A table or column named in
 * neither stops a backup and fails a test, so that no decision is forgotten.
 *
 * Unlogged tables (rate limits, caches) are always left out: a crash of the database empties them.
 */

/** Columns by name, separated by blanks. */
export type KeptTable = { keep: string; leaveOut?: string; rows?: string }

export type BackupPlan = {
  kept: Record<string, KeptTable>
  /** Tables that are left out, each with the reason. */
  leftOut: Record<string, string>
}

const ROW_STATUSES =
  'success no_captions language_not_available private unavailable blocked_suspect invalid_url failed truncated skipped unchanged'

export const BACKUP_PLAN: BackupPlan = {
  kept: {
    account: { keep: 'id email jobs created_at suspended_at deleted_at erased_at beneficiary' },
    // Apps stay known, with what they spent; they ask for consent again, since none of their tokens is kept.
    oauth_client: { keep: 'id kind name redirect_uris created_at read_at connected_at' },
    app_connection: {
      keep: 'id account_id client_id monthly_cap_micros created_at last_used_at revoked_at sent_in_clear_at',
    },
    api_key: {
      keep: 'id account_id name prefix secret_hash kind bucket bucket_size refill created_at expires_at last_used_at revoked_at scopes monthly_cap_micros sent_in_clear_at',
      leaveOut: 'connection_id grant_id audience', // columns of apps' tokens only
      // Bearers of sessions would outlive a sign-out, and tokens of apps a revocation.
      rows: `kind = 'key'`,
    },
    balance: { keep: 'account_id posted_micros held_micros entries head served_at' },
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
        connection_id key_id attempt is_held is_lost heartbeat waits_since lost_attempts has_progress started_at is_planned plan slots_used discovered processed ${ROW_STATUSES}
        texts_deleted_at erased_at receipt_sha256 given_name note skips_owned traceparent`,
    },
    job_source: {
      keep: 'job_id position line state cursor listed heads collection_id subject',
      leaveOut: 'copy_id is_previewed', // columns of caches
    },
    video_row: {
      keep: `job_id index source video_id title url channel_name published_at status label error_message language_code track_kind
        done finished_at suspect_attempt`,
    },
    transcript: {
      keep: `job_id index text_hash words source_sha256 source_format source_bytes source_client source_last_modified source_etag
        fetched_at`,
    },
    transcript_form: { keep: 'job_id index form gzip size_bytes crc32 sha256' },
    transcript_body: { keep: 'job_id index body recorded word_times' },
    video_details: {
      keep: 'video_id channel_id duration_seconds view_count keywords description category learnt_at tracks',
    },
    collection: {
      keep: `account_id id kind title is_ordered video_count looked_at order_job_id order_name changed_at videos delivered deliveries no_captions
        failed languages newest_at oldest_at`,
    },
    collection_video: {
      keep: 'account_id collection_id video_id status status_before job_id index published_at',
    },
    project: { keep: 'id account_id name note tags videos created_at changed_at' },
    project_video: {
      keep: 'account_id project_id video_id language_code track_kind job_id index published_at',
    },
    history: {
      keep: 'account_id url_set_hash video_id outcome tries job_id attempted_at published_at',
    },
    given_once: { keep: 'mailbox_hash beneficiary is_welcomed kept_from' },
    // Without it nobody would be recognised after a restore; the addresses of accounts are in the file anyway.
    mailbox_key: { keep: 'id key' },
    free_calls: { keep: 'account_id day listing refused jobs' },
    list_bookmark: {
      keep: 'account_id url_set_hash line_hash after_at before_at heads cursor listed kept_at',
    },
    operator_act: { keep: 'id act account_id job_id actor reason detail done_at' },
    service_day: {
      keep: 'day delivered blocked failed answered wait_ms video_ms recorded_at',
    },
    incident: { keep: 'id kind began_at seen_at ended_at' },
    account_usage: { keep: 'account_id day calls received_bytes cpu_ms stored_bytes' },
    // The secrets are sealed; the key is a setting, or made from sign_in_secret, which is left out.
    webhook: {
      keep: `id account_id kind url events secret old_secret old_secret_until created_at failing_since disabled_at disabled_because
        url_set_at`,
    },
    subscription: {
      keep: `id account_id line url_set_hash language formats backlog published_after cap_micros every_hours state title notice
        created_at since known found_at last_looked_at next_look_at leased_until look failures missing slot skips_owned`,
    },
    batch: {
      keep: `id account_id connection_id key_id name urls url_set_hash language formats max_videos published_after published_before
        after_at before_at skips_owned notices state notice created_at finished_at part slot taken failures due_at`,
    },
    subscription_video: {
      keep: 'subscription_id video_id number found_at due_at young_until tries job_id',
    },
    subscription_job: { keep: 'subscription_id slot job_id month' },
    subscription_mail: { keep: 'id account_id subscription_id kind made_at' },
    webhook_delivery: {
      keep: 'id webhook_id job_id type state created_at due_at leased_until attempts attempts_before subscription',
    },
    webhook_attempt: {
      keep: 'delivery_id number started_at duration_ms url outcome status error reply',
    },
    egress_route: {
      keep: 'name rate_per_minute free_at lease_starts_at lease_permits rest_until rested_at blocks streak epoch visitor_data minted_at delivered_at',
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
    address_change:
      'links to old and new addresses: after days, a restore is no reason to open one',
    migration: 'the target has its own',
    schema_change: 'the target has its own',
    operator: 'a role that a file brings back would outlive its revocation; it is granted again',
    operator_proof: 'of sessions, which are left out',
    mail: 'links that sign in, and mails that would be sent twice',
    preview: 'kept for an hour, or a day, and asked for again in a second',
    retired_client: 'workers notice it again within two videos',
    oauth_grant: 'whoever reads the file could act as the app; apps ask for consent again',
    oauth_refresh_token: 'likewise',
    sign_in_session:
      'whoever reads the file would be signed in, and a session would outlive its sign-out',
    verdict_share:
      'what the platform answered in the last days; it is learnt again within some hundred videos',
    verdict_hour: 'what the platform answered in the last day; drawn for operators',
    sign_in_verification: 'links and challenges that are under way, of an hour at most',
    sign_in_secret:
      'signs cookies and links; each database makes its own, so that no earlier ones are valid',
  },
}

/** Returns the names in one of the plan's lists. */
export function namesIn(list = ''): string[] {
  return list.split(/\s+/).filter((name) => name !== '')
}
