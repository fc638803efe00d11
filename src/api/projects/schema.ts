/** The contract of projects: what their routes take and answer. */
import { type TString, Type } from 'typebox'
import { LIMITS } from '../../config/config.ts'
import {
  PROJECT_NAME_CHARS_MAX,
  PROJECT_NOTE_CHARS_MAX,
  PROJECT_TAG_CHARS_MAX,
  PROJECT_TAGS_MAX,
} from '../../model/library/project.ts'
import { BatchId } from '../batches/schema.ts'
import { closedObject, DateTime, nullable, optionalText } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { CollectionId } from '../library/schema.ts'

const ProjectId = Type.String({
  pattern: '^prj_[0-9a-f]{32}$',
  description: 'Project id, as POST /projects returned it',
  examples: ['prj_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11'],
})
export const ProjectParams = Type.Object({ id: ProjectId })
export const ProjectVideoParams = Type.Object({
  id: ProjectId,
  videoId: Type.String({
    pattern: '^[\\w-]{11}$',
    examples: ['jNQXAC9IVRw'],
    description: "The video's id on the platform",
  }),
})

export const ProjectSchema = Type.Object(
  {
    id: ProjectId,
    name: Type.String(),
    note: nullable(Type.String()),
    tags: Type.Array(Type.String()),
    videos: Type.Integer({
      description: 'Transcripts in it; a video in two languages counts twice',
    }),
    createdAt: DateTime,
    changedAt: DateTime,
  },
  { title: 'Project' },
)

const Name = Type.String({
  minLength: 1,
  maxLength: PROJECT_NAME_CHARS_MAX,
  description: 'Name of the project',
  examples: ['Interviews on housing'],
})
const Note = nullable(
  Type.String({ maxLength: PROJECT_NOTE_CHARS_MAX }),
  'Anything worth knowing about it; null or a blank text: nothing',
)
const Tags = Type.Array(Type.String({ maxLength: PROJECT_TAG_CHARS_MAX }), {
  maxItems: PROJECT_TAGS_MAX,
  description: 'Words to sort projects by; blank ones and repeats are left out',
})
const words = { note: Type.Optional(Note), tags: Type.Optional(Tags) }

export const ProjectBody = Type.Object(
  { name: Name, ...words },
  { additionalProperties: false, title: 'ProjectRequest' },
)
export const ProjectPatch = Type.Object(
  { name: Type.Optional(Name), ...words },
  { additionalProperties: false, minProperties: 1, title: 'ProjectChange' },
)

const RowOfJob = closedObject({ jobId: JobId, index: Type.Integer({ minimum: 1 }) })

const optionalList = <Id extends TString>(id: Id, named: string) =>
  Type.Optional(
    Type.Array(id, {
      maxItems: LIMITS.selectionMax,
      description:
        `Instead: all that these ${named} have, each transcript once; with the other lists and \`videos\`, ` +
        `at most ${LIMITS.selectionMax} in all`,
    }),
  )

export const ProjectVideosBody = Type.Object(
  {
    videos: Type.Optional(
      Type.Array(RowOfJob, {
        minItems: 1,
        maxItems: LIMITS.projectVideosNamedMax,
        description: 'Delivered videos, each by its job and its index there',
      }),
    ),
    job: optionalText({
      ...JobId,
      description:
        'Instead: everything this job has delivered, with the texts behind its `unchanged` rows',
    }),
    batch: optionalText({
      ...BatchId,
      description: 'Instead: everything the jobs of this batch have delivered, as for a job',
    }),
    collection: optionalText({
      ...CollectionId,
      description: 'Instead: all transcripts of this channel, playlist or project',
    }),
    jobs: optionalList(JobId, 'jobs'),
    batches: optionalList(BatchId, 'batches'),
    collections: optionalList(CollectionId, 'channels, playlists and projects'),
    q: optionalText({
      maxLength: LIMITS.resultsQueryChars,
      pattern: String.raw`^[^\u0000]*$`,
      description: 'Of the collection, only videos whose title contains this text, ignoring case',
      examples: ['zoo'],
    }),
    language: optionalText({
      pattern: '^[A-Za-z0-9-]{2,35}$',
      examples: ['en', 'pt-BR'],
      description: 'Of the collection, only transcripts in this language',
    }),
  },
  { additionalProperties: false, title: 'ProjectVideos' },
)

export const ProjectVideosAdded = Type.Object(
  {
    added: Type.Integer({ description: 'Transcripts added to the project' }),
    present: Type.Integer({ description: 'Transcripts that were already in it' }),
    refusals: Type.Integer({ description: 'Rows that could not be added' }),
    refused: Type.Array(
      Type.Object({ jobId: JobId, index: Type.Integer(), reason: Type.String() }),
      { description: `Which, and why; at most ${LIMITS.projectVideosNamedMax}` },
    ),
  },
  { title: 'ProjectVideosAdded' },
)
