/**
 * Sentences that lead an agent from one tool to another, so that code names each tool in its own file and
 * here alone.
 */
import { VIDEO_URL } from '../model/jobs/video-row.ts'

export const NO_JOB = 'Your account has no job with this jobId; list_jobs names its jobs.'

/** The tools that are right instead, as descriptions name them. */
export const INSTEAD = {
  get_transcript: 'For several, start_job.',
  preview_job: 'Ask before start_job.',
  get_job: 'Its texts: list_results.',
  read_transcript: 'With a URL, get_transcript.',
  search_transcripts: 'Unlike list_library, by words.',
  list_library: 'By words: search_transcripts.',
  list_jobs: 'What you own: list_library.',
  search: 'search_transcripts says more.',
  fetch: 'In pages: read_transcript.',
} as const

/** Instructions of the prompts. */
export const PROMPT_STEPS = {
  channel:
    'Get the transcripts of the channel or playlist below. Ask preview_job what they cost at most and what is owned already, ' +
    'tell me, and wait for my yes. Then call start_job with its previewId and maxVideos, get_job with waitSeconds until isFinal ' +
    'is true, and tell me from list_results what came and what did not, and what was charged.',
  quote:
    'Find where the quote below is said in the transcripts that I own. Call search_transcripts with its words in quotation marks, ' +
    'then without them, then with fewer. Give me the exact wording, the video, the second and the link with that second. Where it ' +
    'is not found, say so; do not make one up, and buy nothing.',
  topic:
    'Tell me what the transcripts that I own say about the topic below. Call search_transcripts with its words, their synonyms ' +
    'joined by OR, and read what matters with read_transcript. Each claim has its quote, video and link with the second. Buy nothing.',
} as const

export const NO_ID = 'There is no text with this id; search names the ids of texts.'

export const NO_TEXT =
  'There is no text at this jobId and index; list_results names the videos of a job and their status.'

export const NO_COLLECTION =
  'Your account has nothing of this collectionId; list_library without one names its channels and playlists.'

export const NOT_FOLLOWED =
  'Your account follows nothing with this subscriptionId; list_followed names what it follows.'

export const NOTHING_FOUND =
  'Your account has nothing with this id. list_jobs and list_library name what it has.'

export const JOB_RUNS =
  'A job with the same URLs is still running. Wait for it with get_job and this jobId.'

/** Source of the index in the address of a resource. */
export const INDEX_OF_RESOURCE = 'index as in list_results'

/** Steps after a job was started or read. */
export const AFTER_JOB = {
  final: 'Read its rows with list_results, then each text with read_transcript.',
  open: 'Call get_job with waitSeconds 45 until isFinal is true, then list_results.',
}

export const FOLLOWING_ENDS = 'list_followed says what was spent; unfollow ends it.'

/** Steps after a video was asked for that has no text yet. */
export const AFTER_VIDEO = {
  running:
    'It is not ready yet. Call get_transcript with the same video again: it waits for this job and charges nothing twice.',
  endedEarly: 'The job ended without it, and it was not charged. Call get_transcript again.',
  otherLanguage: 'Call get_transcript with a language that exists.',
  notKept:
    'No text of it is kept. start_job buys it again, with owned "again" and another form of its address.',
}

export const READ_IN_PAGES = 'read it in pages with the tool read_transcript.'

/** Returns how the next page of a text is read; `where` names the text, and `timed` its form. */
export function readOn(where: string, cursor: number, timed: string): string {
  return `Read on, free: read_transcript with ${where}, cursor ${cursor}${timed}.`
}

/** Returns how a text in another language than the owned one is bought. */
export function buyInLanguage(videoId: string, language: string): string {
  return (
    `start_job with urls ${VIDEO_URL}${videoId} and language ${language} ` +
    'buys it again, in that language if such captions exist.'
  )
}

/** Returns the refusal of several lines where one video is asked for. */
export function takesOneLine(lines: number): string {
  return lines === 0
    ? 'video has only a comment; send the URL or id of one video.'
    : `video has ${lines} lines and takes one; call start_job for several.`
}

/** Returns the refusal of a list where a video is asked for. */
export function namesAList(kind: 'playlist' | 'channel'): string {
  return (
    `video names a ${kind}; nothing was started. Ask preview_job what ` +
    'it holds and costs, and order it with start_job and maxVideos.'
  )
}
