/** Collections and videos of the library as they are sent, and questions for them (an extension). */
import { Type } from 'typebox'
import { found } from '../../kit/problem.ts'
import { ROW_INDEX_MAX } from '../../model/files/addresses.ts'
import { ATTEMPT_STATUSES } from '../../model/jobs/video-row.ts'
import { COLLECTION_KINDS } from '../../model/library/collection.ts'
import { TRACK_KINDS } from '../../model/transcripts/transcript.ts'
import { FORMATS, WORD_FILES } from '../../model/files/catalogue.ts'
import { closedObject, DateTime, nullable, Usd, wordOf } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { RowOfText } from '../results/schema.ts'

export const CollectionId = Type.String({
  pattern: '^[\\w-]{2,80}$',
  description: "The platform's own id of the channel (`UC…`) or playlist (`PL…`)",
  examples: ['UCBR8-60-B28hp2BmDPdntcQ'],
})
export const CollectionParams = Type.Object({ id: CollectionId })

export const RowParams = Type.Object({
  id: JobId,
  index: Type.String({ pattern: '^[1-9]\\d{0,9}$' }),
})

/** Returns the number of a row; throws a Problem for one that no row can have. */
export function indexOf(text: string): number {
  const index = Number(text)
  return found(index > ROW_INDEX_MAX ? null : index)
}

export const DryRunParameter = {
  dryRun: Type.Optional(
    wordOf(['true', 'false'], { description: '`true`: say what would go, and delete nothing' }),
  ),
}

export const DeletionSchema = Type.Object(
  {
    videos: Type.Integer({ description: 'Videos whose texts go' }),
    texts: Type.Integer({ description: 'Rows that lose their text' }),
    bytes: Type.Integer({ description: 'Bytes that the texts take' }),
    otherTexts: Type.Integer({
      description: 'Texts of the same videos that stay: in another language, or of the other kind',
    }),
    jobs: Type.Integer({ description: 'Jobs that lose texts' }),
    otherJobs: Type.Integer({
      description: 'Those among `jobs` that were not named, and brought the same texts',
    }),
    projects: Type.Array(
      closedObject({
        id: Type.String(),
        name: Type.String(),
        texts: Type.Integer({ description: 'Texts that it loses' }),
      }),
    ),
  },
  { title: 'TextDeletion', additionalProperties: false },
)

const collectionFields = {
  id: CollectionId,
  kind: wordOf(COLLECTION_KINDS),
  title: nullable(Type.String(), "The channel's name, or the playlist's title"),
  channelId: nullable(Type.String()),
  playlistId: nullable(Type.String()),
  known: Type.Integer({ description: 'Number of its videos, as far as known' }),
  delivered: Type.Integer({ description: 'Videos whose transcript the account has' }),
  noCaptions: Type.Integer({ description: 'Videos without captions' }),
  failed: Type.Integer({ description: 'Videos that were attempted and failed otherwise' }),
  remaining: nullable(Type.Integer(), 'Videos never attempted; null where the total is unknown'),
  newestAt: nullable(DateTime, 'Publish date of the newest video that was attempted'),
  oldestAt: nullable(DateTime),
  lastLookedAt: nullable(DateTime, 'When its list was last read'),
  charged: Type.String({
    ...Usd,
    description: 'What its transcripts cost; a video of several collections counts in each',
  }),
  languages: Type.Array(Type.String(), { description: 'Languages of the delivered transcripts' }),
}

export const CollectionSchema = Type.Object(
  {
    ...collectionFields,
    pictureUrl: Type.Optional(
      nullable(
        Type.String(),
        "The platform's still of its newest video; only with `view=pictures`, and null where no video is known",
      ),
    ),
  },
  { title: 'Collection' },
)

export const CollectionDetail = Type.Object(
  {
    ...collectionFields,
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'Videos by status: why there is no transcript',
    }),
    goesOn: nullable(
      Type.Object({
        urls: Type.Array(Type.String()),
        line: Type.String({
          description:
            'The one URL that continues this collection alone; `owned=skip` leaves out what others of `urls` brought',
        }),
        language: Type.String(),
        formats: Type.Array(wordOf(FORMATS)),
        videos: nullable(Type.Integer({ description: 'Videos that it can still attempt' })),
        costAtMost: nullable(Usd),
      }),
      'What to send to POST /jobs to fetch the rest without paying twice; null where no list was read',
    ),
  },
  { title: 'CollectionDetail' },
)

const ChapterSchema = Type.Object(
  { startMs: Type.Integer(), title: Type.String() },
  { title: 'Chapter' },
)

/** A text of a video beside the one that is read. */
export const OtherText = closedObject({
  jobId: JobId,
  index: Type.Integer({ minimum: 1 }),
  languageCode: Type.String(),
  trackKind: nullable(wordOf(TRACK_KINDS)),
  deliveredAt: DateTime,
})

const videoFields = {
  jobId: JobId,
  index: Type.Integer({ minimum: 1 }),
  videoId: nullable(Type.String()),
  title: nullable(Type.String()),
  url: nullable(Type.String()),
  channelName: nullable(Type.String()),
  publishedAt: nullable(Type.String()),
  status: nullable(
    Type.String(),
    'Status as in the results of a job; null where its captions were never requested',
  ),
  label: nullable(Type.String()),
  errorMessage: nullable(Type.String()),
  languageCode: nullable(Type.String()),
  trackKind: nullable(Type.String()),
  channelId: nullable(Type.String()),
  durationSeconds: nullable(Type.Integer()),
  viewCount: nullable(Type.Integer({ description: 'When the video was last fetched' })),
  keywords: nullable(Type.Array(Type.String())),
  description: nullable(Type.String()),
  category: nullable(Type.String()),
  chapters: nullable(
    Type.Array(ChapterSchema),
    'From the lines of the description; empty where it names none',
  ),
}

export const LibraryVideoSchema = Type.Object(videoFields, { title: 'LibraryVideo' })

const Track = Type.Object(
  {
    languageCode: Type.String({ description: 'As the platform spells it' }),
    kind: wordOf(TRACK_KINDS, { description: '`manual`: made by the creator; `asr`: automatic' }),
    name: nullable(Type.String()),
    isDefault: Type.Boolean({ description: 'Whether players of the platform show it by default' }),
    isTranslatable: Type.Boolean({
      description: 'Whether the platform would translate it by machine',
    }),
  },
  { title: 'Track' },
)

const Source = Type.Object(
  {
    sha256: Type.String({ description: 'SHA-256 of the reply’s content, in hex' }),
    format: Type.String({ description: 'The platform’s name of its format', examples: ['json3'] }),
    sizeBytes: Type.Integer({ description: 'Length of the content, after any Content-Encoding' }),
    client: Type.String({ description: 'The app of the platform as which it was asked for' }),
    fetchedAt: DateTime,
    lastModified: nullable(Type.String(), 'The header Last-Modified of the reply'),
    etag: nullable(Type.String(), 'The header ETag of the reply'),
  },
  { title: 'Source' },
)

export const JobVideo = Type.Object(
  {
    ...videoFields,
    tracks: nullable(
      Type.Array(Track),
      'Every caption track that the video has; null where none was listed',
    ),
    source: nullable(
      Source,
      'The reply of the platform from which its text was read; null where it is not known, as for texts of earlier releases',
    ),
    hasWordTimes: Type.Boolean({
      description: `Whether ${WORD_FILES.join(' and ')} of this row exist`,
    }),
    text: nullable(
      RowOfText,
      'The row that holds its text: of a video that was delivered before, one of another job; null where no text is kept',
    ),
  },
  { title: 'JobVideo' },
)

/** Values of `status=`: those of attempted videos, and `none`. */
export const LIBRARY_STATUSES = [...ATTEMPT_STATUSES, 'none'] as const

export const WordsSchema = Type.Object(
  {
    words: Type.Array(
      Type.Object({
        startMs: Type.Integer(),
        endMs: Type.Integer({
          description: 'When the next word of its segment begins, or the segment ends',
        }),
        text: Type.String({
          description:
            'The word, with the blank before it: joined, the words of a segment are its text',
        }),
        confidence: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
          description: 'How sure the speech recognition is; null where the platform does not say',
        }),
      }),
    ),
  },
  { title: 'Words' },
)
