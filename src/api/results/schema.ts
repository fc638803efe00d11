/** Results of a job: its videos with their texts. */
import { Type } from 'typebox'
import { ROW_STATUSES } from '../../model/jobs/video-row.ts'
import { TRACK_KINDS } from '../../model/transcripts/transcript.ts'
import { nullable, pageOf, wordOf, AbsoluteLink } from '../contract.ts'
import { JobId, State } from '../jobs/schema.ts'

export const SegmentSchema = Type.Object(
  { startMs: Type.Integer(), endMs: Type.Integer(), text: Type.String() },
  { title: 'Segment' },
)

/** A row of any job of the account that holds a text. */
export const RowOfText = Type.Object(
  { jobId: JobId, index: Type.Integer() },
  { title: 'RowOfText' },
)

const Video = Type.Object(
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
    textRow: Type.Optional(
      nullable(
        RowOfText,
        'The row that holds the text: of `unchanged` videos one of another job, and null where no text is kept; only with `include=textRow`',
      ),
    ),
    owned: Type.Optional(
      nullable(
        RowOfText,
        'The row of another order that holds the text of an `unchanged` video; null for other rows, and where no text is kept; only with `view=located`',
      ),
    ),
    files: Type.Record(Type.String(), AbsoluteLink, {
      description: 'Download links by format, for delivered videos',
    }),
  },
  { title: 'Video' },
)

const DownloadLinks = Type.Object(
  { zip: AbsoluteLink, allText: AbsoluteLink, reportCsv: AbsoluteLink },
  { title: 'Downloads' },
)

export const ResultsPage = Type.Object(
  {
    id: JobId,
    state: State,
    complete: Type.Boolean({ description: 'False while the job is still running' }),
    ...pageOf('videos', Video),
    downloads: DownloadLinks,
  },
  { title: 'Results' },
)
