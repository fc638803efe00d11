/**
 * The contract: TypeBox schemas of everything that crosses the wire. They validate requests, type
 * the handlers and make the OpenAPI document, where a schema with a `title` is a component of that
 * name. Large replies are documented by them but built elsewhere.
 */
import {
  type Static,
  type TArray,
  type TNumberOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
  Type,
} from 'typebox'
import { LIMITS } from '../kit/config/config.ts'
import { JOB_STATES } from '../model/jobs/job.ts'
import { ROW_STATUSES } from '../model/jobs/video-row.ts'
import { JOB_EXTENSION_FIELDS } from './job-extension-fields.ts'
import { formatUsd, PRICE_MICROS } from '../model/money/money.ts'
import { PROBLEMS, type ProblemCode } from '../kit/problem.ts'
import { FORMATS } from '../model/files/catalogue.ts'
import { TRACK_KINDS } from '../model/transcripts/transcript.ts'

export const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** Returns the schema of an object that has these fields and no others. */
export function closedObject<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false })
}

/** Returns the schema of one of these words. */
export const wordOf = <const Word extends string>(words: readonly Word[], options: object = {}) =>
  Type.Enum([...words], { type: 'string', ...options })

/** Schemas of fields that may be left out. */
export const optionalText = (options: TStringOptions) => Type.Optional(Type.String(options))
export const optionalInteger = (options: TNumberOptions) => Type.Optional(Type.Integer(options))

/** Returns the schema of an id of a row: no other text is looked for in the database. */
export const rowId = (options: TStringOptions = {}) =>
  Type.String({ pattern: '^[\\w-]{1,64}$', ...options })

export const JOB_ID = /^[\w-]{1,40}$/
export const JobId = Type.String({
  pattern: JOB_ID.source,
  description: 'The id that POST /jobs returned',
  examples: ['01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11'],
})
export const State = wordOf(JOB_STATES, {
  title: 'JobState',
  description: 'queued, running and cancelling jobs are open; the others are final and billed',
})
const FormatName = wordOf(FORMATS, { title: 'Format' })
export const Usd = Type.String({
  description: 'USD as a plain decimal number with three to six decimals',
  examples: [formatUsd(PRICE_MICROS)],
})
export const DateTime = Type.String({ format: 'date-time' })
const Link = Type.String({ format: 'uri' })

export const EchoedInput = Type.Object(
  {
    urls: Type.Array(Type.String(), {
      description: 'The lines, trimmed and without duplicates, in the order given',
    }),
    language: Type.String(),
    formats: Type.Array(FormatName),
    maxVideos: Type.Integer({ description: 'Videos the job may process after the balance cap' }),
    requestedMaxVideos: Type.Integer({ description: 'The value asked for' }),
    publishedAfter: nullable(Type.String()),
    publishedBefore: nullable(Type.String()),
  },
  { title: 'JobInput' },
)

const JobProgress = Type.Object(
  {
    discovered: nullable(Type.Integer({ description: 'Videos found; null before the start' })),
    processed: Type.Integer({ description: 'Videos with a result of any status' }),
    delivered: Type.Integer({ description: 'Videos with a transcript' }),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of videos per status',
    }),
  },
  { title: 'JobProgress' },
)

const JobBilling = Type.Object(
  {
    reserved: Usd,
    settled: Type.Boolean({ description: 'True if and only if the state is final' }),
    charged: nullable(Usd),
    chargedTranscripts: nullable(Type.Integer()),
    pricePerTranscript: Usd,
  },
  { title: 'JobBilling' },
)

export const Job = Type.Object(
  {
    id: JobId,
    state: State,
    createdAt: DateTime,
    finishedAt: nullable(DateTime),
    input: EchoedInput,
    progress: JobProgress,
    billing: JobBilling,
    error: nullable(Type.String()),
    notices: Type.Optional(
      Type.Array(Type.String(), { description: 'Only in the answer to POST /jobs' }),
    ),
    links: Type.Object({ self: Link, results: Link }),
    ...JOB_EXTENSION_FIELDS,
  },
  { title: 'Job' },
)

export const SegmentSchema = Type.Object(
  { startMs: Type.Integer(), endMs: Type.Integer(), text: Type.String() },
  { title: 'Segment' },
)

export const Video = Type.Object(
  {
    index: Type.Integer({ minimum: 1, description: 'Position of the video; used in file names' }),
    videoId: nullable(Type.String()),
    title: nullable(Type.String()),
    url: nullable(Type.String()),
    channelName: nullable(Type.String()),
    publishedAt: nullable(Type.String()),
    status: Type.String({
      description: `\`success\` is charged; ${ROW_STATUSES.slice(1).join(', ')} are free`,
    }),
    label: Type.String({ description: 'The status in plain words' }),
    errorMessage: nullable(Type.String()),
    languageCode: nullable(Type.String({ description: 'Of the delivered captions' })),
    trackKind: nullable(wordOf(TRACK_KINDS, { description: 'Creator or automatic captions' })),
    text: nullable(Type.String()),
    segments: nullable(Type.Array(SegmentSchema)),
    files: Type.Record(Type.String(), Link, {
      description: 'Download links by format, for delivered videos',
    }),
  },
  { title: 'Video' },
)

export const DownloadLinks = Type.Object(
  { zip: Link, allText: Link, reportCsv: Link },
  { title: 'Downloads' },
)

export const BalanceSchema = Type.Object(
  {
    balance: Usd,
    balanceMicros: Type.Integer({ description: 'Millionths of a dollar' }),
    currency: Type.Literal('USD'),
    pricePerTranscript: Usd,
    affordableTranscripts: Type.Integer(),
  },
  { title: 'Balance' },
)

export const JobBody = Type.Object(
  {
    urls: Type.Union(
      [
        Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.urlsMax }),
        Type.String({ minLength: 1 }),
      ],
      {
        description:
          'Video, Shorts, playlist or channel URLs, or video ids; a string may hold several, one per line or side by side, or a document whose addresses are taken (JSON, HTML, CSV)',
      },
    ),
    language: optionalText({
      default: 'original',
      pattern: '^(original|[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3})$',
      description:
        '`original` or a caption language code (en, es, pt-BR); falls back to the original language',
    }),
    formats: Type.Optional(
      Type.Array(FormatName, {
        minItems: 1,
        default: [...FORMATS],
        description: 'The files to make; results always contain text and segments',
      }),
    ),
    maxVideos: optionalInteger({
      minimum: 1,
      maximum: LIMITS.videosMax,
      default: LIMITS.videosMax,
      description: 'Most videos to process (newest first for channels); the balance may lower it',
    }),
    publishedAfter: optionalText({
      description:
        'Only videos published on or after this date: YYYY-MM-DD or an ISO date-time; UTC unless it names another offset',
    }),
    publishedBefore: optionalText({
      description:
        'Only videos published on or before this date: YYYY-MM-DD (its whole day) or an ISO date-time',
    }),
  },
  { additionalProperties: false, title: 'JobRequest' },
)
export type JobBody = Static<typeof JobBody>

export const ErrorBody = Type.Object(
  {
    error: closedObject({
      code: wordOf(Object.keys(PROBLEMS) as ProblemCode[], {
        description: 'Stable between releases',
      }),
      message: Type.String({ description: 'For people to read; may change between releases' }),
      jobId: optionalText({ description: 'Only with job_in_progress: the job to poll instead' }),
    }),
  },
  { additionalProperties: false, title: 'Error' },
)

/** Returns `offset` and `limit` of a list as fields of its query. */
export function pagingOf({ limit, limitMax }: { limit: number; limitMax: number }) {
  return {
    offset: optionalInteger({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'How many items to skip',
    }),
    limit: optionalInteger({
      minimum: 1,
      maximum: limitMax,
      default: limit,
      description: 'Page length',
    }),
  }
}

/** Returns the fields of a page whose items stand under `name`. */
export function pageOf<Name extends string, T extends TSchema>(name: Name, item: T) {
  return {
    total: Type.Integer(),
    offset: Type.Integer(),
    limit: Type.Integer(),
    nextOffset: nullable(Type.Integer({ description: 'Null on the last page' })),
    ...({ [name]: Type.Array(item) } as Record<Name, TArray<T>>),
  }
}

/** Returns the schema of a page, as the component `title`. */
export function listOf<Name extends string, T extends TSchema>(title: string, name: Name, item: T) {
  return Type.Object(pageOf(name, item), { title })
}

/**
 * Returns the schema of a reply that is sent as a ready-made buffer: the schema documents it and tests compare with it.
 */
export function readyMade<T extends TSchema>(schema: T) {
  return Type.Unsafe<Buffer>(schema)
}

/** Returns the schema as that of an answer, with the sentence that says what this answer means. */
export function answer<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description }
}

/** An answer of errors in the OpenAPI document: `x-codes` are those it may have. */
type ErrorAnswer = TSchema & { description: string; 'x-codes': ProblemCode[] }

/** Problems that every route with a key can answer. */
const COMMON_PROBLEMS = [
  'invalid_request',
  'unauthorized',
  'rate_limited',
  'internal_error',
  'server_busy',
] as const

/** Returns the answers of the given problems, those that every route with a key can have included. */
export function problems(...codes: ProblemCode[]): Record<string, ErrorAnswer> {
  const all = [...COMMON_PROBLEMS, ...codes]
  const byStatus = Object.groupBy(all, (code) => PROBLEMS[code].status)
  const answers = Object.entries(byStatus).map(([status, listed]) => [status, errorAnswer(listed)])
  return Object.fromEntries(answers) as Record<string, ErrorAnswer>
}

/** Returns an answer with an Error of one of these codes; without a sentence, the codes' own. */
export function errorAnswer(
  codes: ProblemCode[],
  description = codes.map((code) => PROBLEMS[code].sentence).join(' Or: '),
): ErrorAnswer {
  return { ...ErrorBody, description, 'x-codes': codes }
}

/** Answers of routes that take a body, beside the usual ones. */
export const BODY_PROBLEMS: Record<string, ErrorAnswer> = {
  408: errorAnswer(['invalid_request'], 'The body took too long to arrive.'),
  413: errorAnswer(['invalid_request'], 'The body is larger than 64 KB; send fewer lines.'),
  415: errorAnswer(['invalid_request'], 'The Content-Type is not application/json.'),
}
