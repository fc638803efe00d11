/** The contract of batches: what their routes take and answer. */
import { Type } from 'typebox'
import { LIMITS } from '../../config/config.ts'
import { LINE_STATES } from '../../model/jobs/batch-lines.ts'
import { BATCH_STATES } from '../../model/jobs/batch.ts'
import { JOB_NAME_CHARS_MAX } from '../../model/jobs/job-name.ts'
import { OWNED_CHOICES } from '../../model/jobs/owned-text.ts'
import { TRACK_KINDS } from '../../model/transcripts/transcript.ts'
import { closedObject, DateTime, nullable, optionalInteger, Usd, wordOf } from '../contract.ts'
import { EchoedInput, JobBody, JobId, State } from '../jobs/schema.ts'

export const BatchId = Type.String({
  pattern: '^[\\w-]{1,40}$',
  description: 'Batch id, as POST /batches returned it',
  examples: ['batch_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11'],
})
export const BatchParams = Type.Object({ id: BatchId })

const Name = nullable(
  Type.String({ maxLength: JOB_NAME_CHARS_MAX }),
  'Name of the batch; null or blank: what it is about',
)

const FIELDS = {
  id: BatchId,
  state: wordOf(BATCH_STATES, {
    description:
      '`stopped`: by you, or because its next job was refused, as `notice` says; it can be continued',
  }),
  title: Type.String({ description: 'What it is called: its name, or what it is about' }),
  name: Type.Union([Type.String(), Type.Null()]),
  createdAt: DateTime,
  finishedAt: nullable(DateTime),
  lines: Type.Integer({ description: 'How many lines were ordered' }),
  parts: Type.Integer({ description: `How many parts of ${LIMITS.urlsMax} lines they make` }),
  part: Type.Integer({ description: 'The part in progress, from 1' }),
  maxVideos: Type.Integer({ description: 'Most videos that all its jobs may process together' }),
  owned: wordOf(OWNED_CHOICES),
  track: Type.Optional(
    wordOf(TRACK_KINDS, { description: 'Present where a kind of track was asked for' }),
  ),
  progress: closedObject({
    processed: Type.Integer({ description: 'Videos that its jobs processed, whatever the result' }),
    delivered: Type.Integer(),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description:
        'Number of videos per status that its jobs processed; rows that take no place, such as `unchanged` and `truncated`, are left out, since one job after another lists the same videos',
    }),
  }),
  billing: closedObject({
    atMost: Type.String({ description: 'What all its jobs can cost together, in USD' }),
    reserved: Type.String({ description: 'By the running job' }),
    charged: Usd,
  }),
  notice: nullable(Type.String(), 'Why it waits or stopped, or what it left, in a sentence'),
  jobs: Type.Array(
    closedObject({
      id: JobId,
      state: State,
      delivered: Type.Integer(),
      charged: Usd,
      title: Type.Optional(
        Type.String({
          description:
            'What it took, such as `Daily Notes, videos 1 to 500`; only where one batch is asked for',
        }),
      ),
    }),
    { description: 'Its jobs, in the order they were started' },
  ),
}

export const BatchSummary = Type.Object(FIELDS, { title: 'BatchSummary' })

const BatchSource = Type.Object(
  {
    line: Type.String({ description: 'The line, as in `input.urls`' }),
    title: nullable(Type.String(), 'Null while no job has come to it'),
    state: wordOf(LINE_STATES, {
      description:
        '`read`: all that it holds was taken, or was there before; `part`: the batch ended before that; `not_reached`: ' +
        'it ended before the line, of which `POST /previews` says what it holds and costs',
    }),
    videos: nullable(Type.Integer(), 'How many videos it holds; null while that is unknown'),
    taken: Type.Integer({ description: 'Videos of it that were asked for their captions' }),
    delivered: Type.Integer(),
    left: nullable(
      Type.Integer(),
      'Videos of it that were never tried; null where that is unknown',
    ),
  },
  { title: 'BatchSource' },
)

export const BatchDetail = Type.Object(
  {
    ...FIELDS,
    input: Type.Omit(EchoedInput, ['maxVideos', 'requestedMaxVideos'], { title: 'BatchInput' }),
    notices: Type.Array(Type.String(), { description: 'How the lines were read' }),
    sources: Type.Array(BatchSource, {
      description: 'What became of each line, in the order given',
    }),
  },
  { title: 'Batch' },
)

export const BatchBody = Type.Object(
  {
    ...JobBody.properties,
    urls: Type.Union(
      [
        Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.batchLinesMax }),
        Type.String({ minLength: 1 }),
      ],
      { description: 'As for POST /jobs, but up to a thousand lines' },
    ),
    maxVideos: optionalInteger({
      minimum: 1,
      maximum: LIMITS.batchVideosMax,
      description:
        'Most videos that all jobs may process together: with the price, what the batch costs at most. Without it as ' +
        'many as there are lines, and at least 500 where a line is a list; lines that all name videos bring no more than they are.',
    }),
    name: Type.Optional(Name),
  },
  { additionalProperties: false, title: 'BatchRequest' },
)

export const BatchPatch = Type.Object(
  {
    name: Type.Optional(Name),
    state: Type.Optional(
      wordOf(['running', 'stopped'], {
        description: '`stopped` also cancels its running job; `running` continues',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, title: 'BatchChange' },
)
