/** Bodies by which jobs are ordered, and jobs as they are sent. */
import { type Static, Type } from 'typebox'
import { JOB_NAME_CHARS_MAX, JOB_NOTE_CHARS_MAX } from '../../model/jobs/job-name.ts'
import { LIMITS } from '../../config/config.ts'
import { JOB_STATES } from '../../model/jobs/job.ts'
import { FORMATS } from '../../model/files/catalogue.ts'
import { TRACK_KINDS } from '../../model/transcripts/transcript.ts'
import {
  wordOf,
  nullable,
  Usd,
  DateTime,
  AbsoluteLink,
  closedObject,
  optionalText,
  optionalInteger,
} from '../contract.ts'

export const JOB_ID = /^[\w-]{1,40}$/

/** Id in the document's examples. */
export const EXAMPLE_JOB_ID = '01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11'

export const JobId = Type.String({
  pattern: JOB_ID.source,
  description: 'The id that POST /jobs returned',
  examples: [EXAMPLE_JOB_ID],
})

export const State = wordOf(JOB_STATES, {
  title: 'JobState',
  description: 'queued, running and cancelling jobs are open; the others are final and billed',
})

const FormatName = wordOf(FORMATS, { title: 'Format' })

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

const WHEN = 'only with `view=named` and in the answer of PATCH'

const namedOrNull = (what: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: `${what}; ${WHEN}`,
    }),
  )

/** How a job's batch is named. */
export const JobBatch = closedObject({
  id: Type.String(),
  title: Type.String({ description: 'What the batch is called' }),
  number: Type.Integer({ description: "The job's number in it, from 1" }),
})

/** Names of a job, which version 1.0.0 does not have. */
const NAMED_FIELDS = {
  title: Type.Optional(
    Type.String({
      description: `Name of the job, or what it is about; ${WHEN}`,
    }),
  ),
  name: namedOrNull('The name you gave it'),
  note: namedOrNull('Your note about it'),
  track: Type.Optional(
    wordOf(TRACK_KINDS, { description: `The kind of track that was asked for, if any; ${WHEN}` }),
  ),
  batch: Type.Optional({
    ...JobBatch,
    description: `The batch that it is a job of, if any; ${WHEN}`,
  }),
  deletedTexts: Type.Optional(
    Type.Integer({ description: `How many of its texts are deleted, if any; ${WHEN}` }),
  ),
}

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
    links: Type.Object({ self: AbsoluteLink, results: AbsoluteLink }),
    ...NAMED_FIELDS,
  },
  { title: 'Job' },
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
      examples: ['en', 'pt-BR', 'original'],
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
        'Only videos published on or after this date: YYYY-MM-DD, a day by the platform’s clock as in `publishedAt`; or an ISO date-time, in UTC unless it names another offset',
    }),
    publishedBefore: optionalText({
      description:
        'Only videos published on or before this date: YYYY-MM-DD (its whole day) or an ISO date-time',
    }),
  },
  { additionalProperties: false, title: 'JobRequest' },
)

export type JobBody = Static<typeof JobBody>

/** The parameter of routes that answer jobs. */
export const JobViewParameter = {
  view: Type.Optional(
    wordOf(['plain', 'named'], {
      default: 'plain',
      description:
        '`named`: jobs also have `title`, `name`, `note`, `track`, `batch` and `deletedTexts`',
    }),
  ),
}

export const JobPatch = Type.Object(
  {
    name: Type.Optional(
      nullable(
        Type.String({ maxLength: JOB_NAME_CHARS_MAX }),
        'Name of the job; null or blank: what it is about',
      ),
    ),
    note: Type.Optional(
      nullable(
        Type.String({ maxLength: JOB_NOTE_CHARS_MAX }),
        'Your note about the job; null or blank removes it',
      ),
    ),
  },
  { additionalProperties: false, title: 'JobPatch' },
)
