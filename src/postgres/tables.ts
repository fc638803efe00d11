/** What the migrations made: every table with its columns. Written by `npm run tables`, not by hand. */
/* oxlint-disable max-lines -- as long as the schema is */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Read as what was parsed, written as text. */
type Json = ColumnType<unknown, string, string>

export type Tables = {
  account: {
    id: string
    email: string
    jobs: Generated<number>
    created_at: Generated<Date>
    suspended_at: Date | null
  }
  account_usage: {
    account_id: string
    day: Date
    calls: Generated<bigint>
    received_bytes: Generated<bigint>
    cpu_ms: Generated<bigint>
    stored_bytes: Generated<bigint>
  }
  api_key: {
    id: string
    account_id: string
    name: string
    prefix: string
    secret_hash: Buffer
    kind: Generated<'key' | 'session'>
    bucket: string
    bucket_size: number
    refill: number
    created_at: Generated<Date>
    expires_at: Date | null
    last_used_at: Date | null
    revoked_at: Date | null
  }
  attempt_bucket: { id: string; full_at: Date }
  balance: {
    account_id: string
    posted_micros: Generated<bigint>
    held_micros: Generated<bigint>
    entries: Generated<bigint>
    head: Generated<string>
  }
  channel_name: { path_hash: Buffer; channel_id: string | null; asked_at: Generated<Date> }
  egress_route: {
    name: string
    rate_per_minute: number
    free_at: Date
    lease_starts_at: Date
    lease_permits: number
    rest_until: Date | null
    blocks: Generated<number>
    streak: Generated<number>
    epoch: Generated<number>
    visitor_data: string | null
    minted_at: Date | null
    rested_at: Date | null
  }
  free_calls: {
    account_id: string
    day: Date
    listing: Generated<number>
    refused: Generated<number>
  }
  history: {
    account_id: string
    url_set_hash: string
    video_id: string
    outcome: 'delivered' | 'negative' | 'transient'
    tries: number
    job_id: string
    attempted_at: Date
    published_at: string | null
  }
  job: {
    id: string
    account_id: string
    state: 'queued' | 'running' | 'cancelling' | 'finished' | 'cancelled' | 'failed' | 'interrupted'
    created_at: Date
    finished_at: Date | null
    error: string | null
    urls: string[]
    url_set_hash: string
    language: string
    formats: string[]
    max_videos: number
    requested_max_videos: number
    published_after: string | null
    published_before: string | null
    after_at: Date | null
    before_at: Date | null
    notices: string[]
    idempotency_key: string | null
    body_hash: string | null
    reserved_micros: bigint
    charged_micros: bigint | null
    attempt: Generated<number>
    is_held: Generated<boolean>
    lost_attempts: Generated<number>
    started_at: Date | null
    is_planned: Generated<boolean>
    plan: Json | null
    slots_used: Generated<number>
    discovered: Generated<number>
    processed: Generated<number>
    success: Generated<number>
    no_captions: Generated<number>
    language_not_available: Generated<number>
    private: Generated<number>
    unavailable: Generated<number>
    blocked_suspect: Generated<number>
    invalid_url: Generated<number>
    failed: Generated<number>
    truncated: Generated<number>
    skipped: Generated<number>
    unchanged: Generated<number>
    has_progress: Generated<boolean>
  }
  job_source: {
    job_id: string
    position: number
    line: string
    state: Generated<'waiting' | 'listing' | 'listed'>
    cursor: string | null
    listed: Generated<number>
    copy_id: string | null
    heads: string[] | null
  }
  ledger_entry: {
    account_id: string
    number: bigint
    kind: string
    posted_micros: bigint
    held_micros: bigint
    reference: string
    job_id: string | null
    reason: string | null
    created_at: Date
    previous_hash: string
    hash: string
  }
  list_bookmark: {
    account_id: string
    url_set_hash: string
    line_hash: Buffer
    after_at: Date | null
    before_at: Date | null
    heads: string[]
    cursor: string
    listed: number
    kept_at: Generated<Date>
  }
  list_copy: { id: string; list_key: string; begun_at: Generated<Date> }
  list_page: { copy_id: string; place: Buffer; asked_at: Date; body: Buffer }
  migration: { name: string; sha256: string; applied_at: Generated<Date> }
  operator_act: {
    id: GeneratedAlways<bigint>
    act: 'suspend_account' | 'resume_account' | 'cancel_job'
    account_id: string
    job_id: string | null
    actor: string
    reason: string | null
    done_at: Generated<Date>
  }
  payment: {
    id: string
    account_id: string | null
    checkout_id: string | null
    credited_micros: Generated<bigint>
    created_at: Generated<Date>
  }
  payment_claim: {
    id: string
    payment_id: string
    kind: 'refund' | 'dispute'
    status: string
    status_at: Date
    claimed_micros: bigint
    taken_micros: Generated<bigint>
    moves: Generated<number>
    created_at: Generated<Date>
  }
  payment_event: {
    id: string
    type: string
    created_at: Date
    received_at: Generated<Date>
    outcome: 'credited' | 'adjusted' | 'noted' | 'ignored' | 'refused'
    note: string
  }
  publish_date: {
    account_id: string
    video_id: string
    published_at: string
    asked_at: Generated<Date>
  }
  rate_bucket: { id: string; tokens: number; is_refused: boolean; updated_at: Date }
  sign_in_method: {
    id: string
    account_id: string
    provider_id: string
    user_id: string
    access_token: string | null
    refresh_token: string | null
    id_token: string | null
    access_token_expires_at: Date | null
    refresh_token_expires_at: Date | null
    scope: string | null
    password: string | null
    created_at: Generated<Date>
    updated_at: Date
  }
  sign_in_passkey: {
    id: string
    name: string | null
    public_key: string
    user_id: string
    credential_id: string
    counter: number
    device_type: string
    backed_up: boolean
    transports: string | null
    created_at: Date | null
    aaguid: string | null
  }
  sign_in_secret: { id: Generated<boolean>; secret: string }
  sign_in_session: {
    id: string
    expires_at: Date
    token: string
    ip_address: string | null
    user_agent: string | null
    user_id: string
    created_at: Generated<Date>
    updated_at: Date
  }
  sign_in_user: {
    id: string
    name: string
    email: string
    email_verified: boolean
    image: string | null
    account_id: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  sign_in_verification: {
    id: string
    identifier: string
    value: string
    expires_at: Date
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  sign_up: {
    token_hash: Buffer
    browser_hash: Buffer
    email: string
    password: string
    expires_at: Date
  }
  signing_key: {
    id: string
    public_key: Buffer
    private_key: Buffer | null
    created_at: Generated<Date>
    retired_at: Date | null
  }
  transcript: { job_id: string; index: number; text_hash: string; words: number }
  transcript_form: {
    job_id: string
    index: number
    form: 'txt' | 'srt' | 'vtt' | 'json' | 'text'
    gzip: Buffer
    size_bytes: number
    crc32: bigint
    sha256: string
  }
  video_row: {
    job_id: string
    index: number
    source: number
    video_id: string | null
    title: string | null
    url: string | null
    channel_name: string | null
    published_at: string | null
    status:
      | 'success'
      | 'no_captions'
      | 'language_not_available'
      | 'private'
      | 'unavailable'
      | 'blocked_suspect'
      | 'invalid_url'
      | 'failed'
      | 'truncated'
      | 'skipped'
      | 'unchanged'
      | null
    label: string | null
    error_message: string | null
    language_code: string | null
    track_kind: string | null
    done: number | null
    finished_at: Date | null
    suspect_attempt: number | null
  }
}
