/** Values for the calls: complete, and of no meaning. */
import { NO_DETAILS } from '../../src/model/library/video-details.ts'
import type { NewJob } from '../../src/store/jobs.ts'
import type { Plan } from '../../src/model/jobs/selection.ts'
import type { Suspicion } from '../../src/model/platform/evidence.ts'
import type { BlockReport, RouteTerms } from '../../src/model/platform/route-budget.ts'
import type { Recording } from '../../src/store/record.ts'
import type { RowContent } from '../../src/store/video-rows.ts'
import { ROW_STATUSES } from '../../src/model/jobs/video-row.ts'

const PLAN: Plan = {
  nextIndex: 1,
  slotsTaken: 0,
  skippedListed: 0,
  discovered: 0,
  waiting: [],
  unplaced: [],
}

export const NEW_JOB: NewJob & { plan: Plan } = {
  id: 'job',
  accountId: 'account',
  urls: ['line'],
  urlSetHash: 'hash',
  language: 'en',
  formats: ['text'],
  maxVideos: 1,
  requestedMaxVideos: 1,
  publishedAfter: null,
  publishedBefore: null,
  afterAt: null,
  beforeAt: null,
  notices: [],
  reservedMicros: 8000n,
  createdAt: new Date(0),
  idempotency: null,
  connectionId: null,
  keyId: null,
  isPreviewed: false,
  plan: PLAN,
}

export const CONTENT: RowContent = {
  videoId: 'video',
  title: null,
  url: null,
  channelName: null,
  publishedAt: null,
  status: 'success',
  label: 'label',
  errorMessage: null,
  languageCode: 'en',
  trackKind: 'manual',
}

/** As short as one can be. */
export const MEMBER = {
  gzip: Buffer.alloc(1),
  gzipBytes: 1,
  sizeBytes: 1,
  crc32: 1,
  sha256: '0',
}

/** Each status has a counter of its own, and so a statement. */
export const RECORDINGS: Recording[] = ROW_STATUSES.flatMap((status): Recording[] => {
  const content = { ...CONTENT, status }
  const bare = {
    index: 1,
    content,
    transcript: null,
    history: null,
    details: NO_DETAILS,
  }
  const text = { textSha256: '0', words: 1 }
  const transcript = { forms: [{ form: 'txt' as const, ...MEMBER }], ...text }
  const recorded = [
    { form: 'txt' as const, sizeBytes: 1, gzipBytes: 1, crc32: 1, sha256: '0'.repeat(64) },
  ]
  const body = { body: Buffer.alloc(1), recorded, ...text }
  const details = { ...NO_DETAILS, channelId: 'channel' }
  const known = { ...bare, details, history: { kind: 'delivered', jobId: 'job' } as const }
  return [bare, { ...known, transcript }, { ...known, transcript: body }]
})

export const SUSPICION: Suspicion = { subject: 'v', accountId: 'a', isContradicted: false }
/** Of a block whatever was asked for; with a suspicion, of what may be the video's own. */
export const BLOCK: BlockReport = {
  epoch: 1,
  retryAfterMs: null,
  suspicion: null,
  hasDelivered: false,
}

export const ROUTE: RouteTerms = {
  name: 'direct',
  ratePerMinute: { start: 30, floor: 1, ceiling: 60 },
  restMs: { first: 1, longest: 2 },
  blocksForgiven: 0,
  healedAfter: 1,
}
