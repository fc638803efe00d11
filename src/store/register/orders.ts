/** Tables of what is ordered, and of what came of it. */
import {
  BY_ACCOUNT,
  OF_ACCOUNT,
  OF_JOB,
  bounded,
  eachOf,
  per,
  type Growth,
  type NumberName,
  type PeoplesTable,
} from './entry.ts'

const CALLS: NumberName[] = ['variables.FREE_CALLS_PER_DAY', 'variables.FREE_CALLS_PER_USD']
const SOON_FORGOTTEN = { not: 'soon forgotten, and asked for again at any time' }
const FROM_JOBS = { not: 'made of the rows of jobs, which the report shows' }

/** Rows that are paid for: one for each paid row of `of`, or as many as `bound` says. */
function paid(of: string, bound = 'one for each paid video'): Growth {
  return { ...eachOf(of, bound, 'money.PRICE_MICROS'), per: 'money' }
}

const TABLES_OF_JOBS = {
  job: {
    writers: 'jobs deleted-texts erasure final-state job-queue planned-page record started-job',
    holds: 'what was ordered: settings, name and note, counts and charge',
    path: BY_ACCOUNT,
    columns: { plain: 'url_set_hash body_hash idempotency_key' },
    erased: 'stripped',
    exported: 'rows_of_job',
    // Jobs that deliver are paid for, the others use up the day's allowance.
    grows: per(
      'day',
      'jobs that end without a transcript, one for each call of the allowance; others pay for a transcript',
      ...CALLS,
      'money.PRICE_MICROS',
      'allowance.JOBS_FOR_NOTHING_MIN',
    ),
  },
  job_source: {
    writers: 'job-sources planned-page started-job',
    holds: 'the lines that were pasted',
    ...OF_JOB,
    // A cursor may hold an identity of our routes; the others are of caches.
    columns: { kept_secret: 'cursor', left_out: 'copy_id is_previewed' },
    exported: 'rows_of_job',
    grows: eachOf(
      'job',
      'lines of a job, whose bytes count as further jobs where it delivers nothing',
      'limits.urlsMax',
      'allowance.LINE_BYTES_PER_JOB',
    ),
  },
  video_row: {
    writers: 'video-rows jobs planned-page record deleted-texts',
    holds: 'one ordered video: address, title, what became of it',
    ...OF_JOB,
    exported: 'rows_of_job',
    grows: eachOf(
      'job',
      'videos that a job takes, as many as its balance pays for; other rows use up calls',
      ...CALLS,
      'limits.videosMax',
      'allowance.FREE_ROWS_PER_CALL',
    ),
  },
  transcript: {
    writers: 'record',
    holds: 'length and checksums of a text, its language and its source',
    ...OF_JOB,
    columns: { plain: 'text_hash' },
    exported: 'rows_of_job',
    grows: paid('video_row'),
  },
  transcript_body: {
    writers: 'record erasure transcripts deleted-texts text-packs',
    backup: { rows: 'octet_length(body) > 0' }, // the others come with their words (packed-rows.ts)
    holds: 'the words of a text and their times',
    ...OF_JOB,
    exported: { in: 'jobs/*/transcripts.zip' },
    grows: paid('transcript'),
  },
  packed_text: {
    writers: 'text-packs',
    holds: 'where the words of a text lie in the object store',
    path: OF_JOB.path,
    erased: { with: 'transcript_body' },
    backup: { none: 'they hold the words themselves' },
    exported: { not: 'the words are in jobs/*/transcripts.zip' },
    grows: paid('transcript'),
  },
  index_copy: {
    writers: 'index-copies',
    holds: 'where a search index lies in the object store',
    ...OF_ACCOUNT,
    backup: { none: 'a search index is made again' },
    exported: { not: 'the words are in jobs/*/transcripts.zip' },
    grows: per('account', 'one'),
  },
  // Without a row, as its constraint says; processes of the release before read it.
  transcript_form: {
    writers: '',
    holds: 'forms of texts as release 1.0.0 stored them, of which none is left',
    path: OF_JOB.path,
    erased: { kept: 'no row, as its constraint says' },
    exported: { in: 'jobs/*/transcripts.zip' },
    grows: bounded('none: its constraint refuses every row'),
  },
} satisfies Record<string, PeoplesTable>

const TABLES_OF_LISTS = {
  history: {
    writers: 'record',
    holds: 'which videos of a list were tried',
    ...OF_ACCOUNT,
    columns: { plain: 'url_set_hash' },
    exported: FROM_JOBS,
    grows: eachOf('video_row', 'one for each video of a set of URLs that was tried'),
  },
  list_bookmark: {
    writers: 'job-sources',
    holds: 'how far a list was read',
    ...OF_ACCOUNT,
    columns: { kept_secret: 'cursor', plain: 'url_set_hash line_hash' },
    goesAfter: 'lists.BOOKMARK_SECONDS',
    swept: 'kept_at',
    exported: 'rows',
    grows: eachOf(
      'job_source',
      'one for each list of a job that was cut short',
      'lists.BOOKMARK_SECONDS',
    ),
  },
  publish_date: {
    writers: 'list-copies',
    holds: 'dates of videos that were asked for',
    ...OF_ACCOUNT,
    goesAfter: 'lists.PUBLISH_DATE_SECONDS',
    swept: 'asked_at',
    exported: { not: 'soon forgotten, and shown in the report' },
    grows: per(
      'day',
      'one for each call, until it is forgotten',
      ...CALLS,
      'lists.PUBLISH_DATE_SECONDS',
    ),
  },
  collection: {
    writers: 'collections deleted-texts record',
    holds: 'channels and playlists of which the account has texts',
    ...OF_ACCOUNT,
    exported: FROM_JOBS,
    grows: eachOf('video_row', 'one for each list, and for the channel of each video'),
  },
  collection_video: {
    writers: 'collections deleted-texts record',
    holds: 'the videos of those channels and playlists',
    ...OF_ACCOUNT,
    exported: FROM_JOBS,
    grows: eachOf('video_row', 'one for each list that a row is of'),
  },
  project: {
    writers: 'projects',
    holds: 'collections of the account’s own: name, note, tags',
    ...OF_ACCOUNT,
    exported: 'rows',
    grows: per('account', 'projects', 'limits.projectsMax'),
  },
  project_video: {
    writers: 'project-videos',
    holds: 'the videos of projects',
    path: { column: 'project_id', of: 'project' },
    erased: 'by_account',
    exported: 'rows',
    grows: eachOf('project', 'videos of a project', 'limits.projectVideosMax'),
  },
  batch: {
    writers: 'batches',
    holds: 'long orders: lines, name, limits',
    ...OF_ACCOUNT,
    columns: { plain: 'body_hash url_set_hash' },
    exported: 'rows',
    grows: per('account', 'those at work, and the latest that rest', 'limits.batchesKeptMax'),
  },
  preview: {
    writers: 'previews',
    holds: 'the lines of a preview',
    ...OF_ACCOUNT,
    columns: { plain: 'request_hash url_set_hash' },
    goesAfter: 'limits.previewSeconds',
    swept: 'expires_at',
    backup: { none: 'soon forgotten, and asked for again in a second' },
    exported: SOON_FORGOTTEN,
    grows: per(
      'account',
      'an hour’s, until they expire',
      'serviceVariables.PREVIEWS_PER_HOUR',
      'limits.previewSeconds',
    ),
  },
  preview_page: {
    writers: 'previews',
    holds: 'the videos that a preview found',
    ...OF_ACCOUNT,
    columns: { plain: 'list_key' },
    goesAfter: 'limits.previewSeconds',
    swept: 'asked_at',
    exported: SOON_FORGOTTEN,
    grows: eachOf(
      'preview',
      'pages of a preview, or one of each of its lists',
      'serviceVariables.PREVIEW_PAGES',
      'limits.urlsMax',
    ),
  },
} satisfies Record<string, PeoplesTable>

export const TABLES_OF_ORDERS = { ...TABLES_OF_JOBS, ...TABLES_OF_LISTS }
