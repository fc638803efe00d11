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
    deleted_at: Date | null
    erased_at: Date | null
    beneficiary: string | null
  }
  account_usage: {
    account_id: string
    day: Date
    calls: Generated<bigint>
    received_bytes: Generated<bigint>
    cpu_ms: Generated<bigint>
    stored_bytes: Generated<bigint>
  }
  address_change: {
    confirm_hash: Buffer
    stop_hash: Buffer
    undo_hash: Buffer | null
    user_id: string
    old_email: string
    new_email: string
    asked_at: Generated<Date>
    made_at: Date | null
    expires_at: Date
  }
  api_key: {
    id: string
    account_id: string
    name: string
    prefix: string
    secret_hash: Buffer
    kind: Generated<'key' | 'session' | 'app'>
    bucket: string
    bucket_size: number
    refill: number
    created_at: Generated<Date>
    expires_at: Date | null
    last_used_at: Date | null
    revoked_at: Date | null
    connection_id: string | null
    grant_id: string | null
    scopes: string[] | null
    audience: string[] | null
    monthly_cap_micros: bigint | null
    sent_in_clear_at: Date | null
  }
  app_connection: {
    id: string
    account_id: string
    client_id: string
    monthly_cap_micros: bigint
    created_at: Generated<Date>
    last_used_at: Date | null
    revoked_at: Date | null
    sent_in_clear_at: Date | null
  }
  attempt_bucket: { id: string; full_at: Date }
  balance: {
    account_id: string
    posted_micros: Generated<bigint>
    held_micros: Generated<bigint>
    entries: Generated<bigint>
    head: Generated<string>
    served_at: Date | null
  }
  batch: {
    id: string
    account_id: string
    connection_id: string | null
    key_id: string | null
    name: string | null
    urls: string[]
    url_set_hash: string
    language: string
    formats: string[]
    max_videos: number
    published_after: string | null
    published_before: string | null
    after_at: Date | null
    before_at: Date | null
    skips_owned: boolean
    notices: string[]
    state: Generated<'running' | 'finished' | 'stopped'>
    notice: string | null
    created_at: Generated<Date>
    finished_at: Date | null
    part: Generated<number>
    slot: Generated<number>
    taken: Generated<number>
    failures: Generated<number>
    due_at: Generated<Date | null>
  }
  channel_name: { path_hash: Buffer; channel_id: string | null; asked_at: Generated<Date> }
  collection: {
    account_id: string
    id: string
    kind: 'channel' | 'playlist'
    title: string | null
    is_ordered: Generated<boolean>
    video_count: number | null
    looked_at: Date | null
    order_job_id: string | null
    changed_at: Generated<Date>
    videos: Generated<number>
    delivered: Generated<number>
    deliveries: Generated<number>
    no_captions: Generated<number>
    failed: Generated<number>
    languages: Generated<string[]>
    newest_at: Date | null
    oldest_at: Date | null
    order_name: string | null
  }
  collection_video: {
    account_id: string
    collection_id: string
    video_id: string
    status:
      | 'success'
      | 'no_captions'
      | 'language_not_available'
      | 'private'
      | 'unavailable'
      | 'blocked_suspect'
      | 'failed'
      | null
    status_before: string | null
    job_id: string
    index: number
    published_at: Date | null
  }
  device_login: {
    device_hash: Buffer
    user_code: string
    client_id: string
    scopes: string[]
    audience: string[]
    expires_at: Date
    polled_at: Date | null
    is_denied: Generated<boolean>
    grant_id: string | null
  }
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
    delivered_at: Date | null
  }
  egress_suspicion: {
    route: string
    subject: string
    account_id: string
    is_contradicted: boolean
    seen_at: Date
  }
  free_calls: {
    account_id: string
    day: Date
    listing: Generated<number>
    refused: Generated<number>
    jobs: Generated<number>
  }
  given_once: { mailbox_hash: Buffer; beneficiary: string; is_welcomed: boolean; kept_from: Date }
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
  incident: {
    id: GeneratedAlways<bigint>
    kind: 'slow_queue' | 'routes_resting' | 'platform_changed' | 'not_running'
    began_at: Generated<Date>
    seen_at: Generated<Date>
    ended_at: Date | null
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
    connection_id: string | null
    texts_deleted_at: Date | null
    erased_at: Date | null
    receipt_sha256: string | null
    key_id: string | null
    waits_since: Generated<Date>
    heartbeat: Generated<number>
    is_lost: Generated<boolean>
    given_name: string | null
    note: string | null
    skips_owned: Generated<boolean>
    traceparent: string | null
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
    collection_id: string | null
    is_previewed: Generated<boolean>
    subject: string | null
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
  mail: {
    id: GeneratedAlways<bigint>
    to_address: string
    sealed: string
    attempts: Generated<number>
    made_at: Generated<Date>
    due_at: Generated<Date>
  }
  mailbox_key: { id: Generated<boolean>; key: Buffer }
  migration: { name: string; sha256: string; applied_at: Generated<Date> }
  oauth_client: {
    id: string
    kind: 'own' | 'registered' | 'document'
    name: string
    redirect_uris: string[]
    created_at: Generated<Date>
    read_at: Generated<Date>
    connected_at: Date | null
  }
  oauth_code: {
    code_hash: Buffer
    grant_id: string
    client_id: string
    redirect_uri: string
    challenge: string
    expires_at: Date
    used_at: Date | null
  }
  oauth_grant: {
    id: string
    connection_id: string
    scopes: string[]
    audience: string[]
    created_at: Generated<Date>
    expires_at: Date
  }
  oauth_refresh_token: {
    token_hash: Buffer
    grant_id: string
    expires_at: Date
    used_at: Date | null
  }
  operator: {
    account_id: string
    granted_at: Generated<Date>
    secret: string | null
    enrolled_at: Date | null
    last_step: bigint | null
  }
  operator_act: {
    id: GeneratedAlways<bigint>
    act:
      | 'suspend_account'
      | 'resume_account'
      | 'cancel_job'
      | 'delete_account'
      | 'add_credit'
      | 'grant_operator'
      | 'revoke_operator'
      | 'enrol_factor'
      | 'prove_factor'
      | 'clear_factor'
      | 'verify_ledger'
      | 'run_doctor'
    account_id: string | null
    job_id: string | null
    actor: string
    reason: string | null
    done_at: Generated<Date>
    detail: string | null
  }
  operator_proof: { session_id: string; account_id: string; proved_at: Generated<Date> }
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
  preview: {
    id: string
    account_id: string | null
    request_hash: string
    url_set_hash: string
    urls: string[]
    language: string
    formats: string[]
    max_videos: number
    requested_max_videos: number
    published_after: string | null
    published_before: string | null
    after_at: Date | null
    before_at: Date | null
    notices: string[]
    state: Generated<'listing' | 'ready'>
    attempt: Generated<number>
    findings: Json | null
    created_at: Generated<Date>
    ends_at: Date
    expires_at: Date
    counted_at: Date | null
    held_until: Date | null
    skips_owned: Generated<boolean>
  }
  preview_page: {
    account_id: string
    list_key: string
    place: Buffer
    asked_at: Generated<Date>
    body: Buffer
  }
  project: {
    id: string
    account_id: string
    name: string
    note: string | null
    tags: Generated<string[]>
    videos: Generated<number>
    created_at: Generated<Date>
    changed_at: Generated<Date>
  }
  project_video: {
    account_id: string
    project_id: string
    video_id: string
    language_code: string
    track_kind: string
    job_id: string
    index: number
    published_at: Date | null
  }
  publish_date: {
    account_id: string
    video_id: string
    published_at: string
    asked_at: Generated<Date>
  }
  rate_bucket: { id: string; tokens: number; is_refused: Generated<boolean>; updated_at: Date }
  retired_client: { name: string; version: string; retired_at: Generated<Date> }
  schema_change: { name: string; sha256: string; needs: string | null; applied_at: Generated<Date> }
  service_day: {
    day: Date
    delivered: bigint
    blocked: bigint
    failed: bigint
    answered: bigint
    wait_ms: bigint | null
    video_ms: bigint | null
    recorded_at: Generated<Date>
  }
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
  subscription: {
    id: string
    account_id: string
    line: string
    url_set_hash: string
    language: string
    formats: string[]
    backlog: number
    published_after: Date | null
    cap_micros: bigint
    state: Generated<'active' | 'paused' | 'out_of_money' | 'cap_reached' | 'gone'>
    title: string | null
    notice: string | null
    created_at: Generated<Date>
    since: Generated<Date>
    known: string[] | null
    found_at: Generated<Date[]>
    last_looked_at: Date | null
    next_look_at: Generated<Date | null>
    leased_until: Date | null
    look: Generated<number>
    failures: Generated<number>
    missing: Generated<number>
    slot: Generated<number>
    every_hours: number | null
    skips_owned: Generated<boolean>
  }
  subscription_job: { subscription_id: string; slot: number; job_id: string; month: string }
  subscription_mail: {
    id: GeneratedAlways<bigint>
    account_id: string
    subscription_id: string
    kind: 'out_of_money' | 'gone'
    made_at: Generated<Date>
  }
  subscription_video: {
    subscription_id: string
    video_id: string
    number: number
    found_at: Date
    due_at: Date
    young_until: Date
    tries: Generated<number>
    job_id: string | null
  }
  transcript: {
    job_id: string
    index: number
    text_hash: string
    words: number
    source_sha256: Buffer | null
    source_format: string | null
    source_bytes: number | null
    source_client: string | null
    source_last_modified: string | null
    source_etag: string | null
    fetched_at: Date | null
  }
  transcript_body: {
    job_id: string
    index: number
    body: Buffer
    recorded: Buffer
    word_times: Buffer | null
  }
  transcript_form: {
    job_id: string
    index: number
    form: 'txt' | 'srt' | 'vtt' | 'json' | 'text'
    gzip: Buffer
    size_bytes: number
    crc32: bigint
    sha256: string
  }
  verdict_hour: { hour: Date; part: string; verdict: string; answers: bigint }
  verdict_share: { day: Date; part: string; verdict: string; answers: bigint }
  video_details: {
    video_id: string
    channel_id: string | null
    duration_seconds: number | null
    view_count: bigint | null
    keywords: string[] | null
    description: string | null
    category: string | null
    learnt_at: Generated<Date>
    tracks: Json | null
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
  webhook: {
    id: string
    account_id: string
    kind: Generated<'http' | 'mail'>
    url: string | null
    events: string[]
    secret: string | null
    old_secret: string | null
    old_secret_until: Date | null
    created_at: Generated<Date>
    failing_since: Date | null
    disabled_at: Date | null
    disabled_because: 'asked' | 'gone' | 'failing' | 'secret_lost' | null
    url_set_at: Date | null
  }
  webhook_attempt: {
    delivery_id: string
    number: number
    started_at: Date
    duration_ms: number
    url: string
    outcome: 'delivered' | 'gone' | 'refused' | 'unreachable' | 'forbidden' | 'timed_out'
    status: number | null
    error: string | null
    reply: string | null
  }
  webhook_delivery: {
    id: string
    webhook_id: string
    job_id: string | null
    type:
      | 'job.finished'
      | 'job.cancelled'
      | 'job.failed'
      | 'job.interrupted'
      | 'subscription.found'
      | 'subscription.active'
      | 'subscription.paused'
      | 'subscription.out_of_money'
      | 'subscription.cap_reached'
      | 'subscription.gone'
      | 'webhook.test'
    state: Generated<'pending' | 'delivered' | 'failed'>
    created_at: Generated<Date>
    due_at: Date | null
    leased_until: Date | null
    attempts: Generated<number>
    attempts_before: Generated<number>
    subscription: Json | null
  }
}
