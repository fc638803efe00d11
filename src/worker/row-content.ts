/** What the platform said of a video, as the row that we record: the one exhaustive translation. */
import type { SpentBound } from '../model/jobs/allowance.ts'
import {
  errorMessageOf,
  labelOf,
  type RowFacts,
  type RowReason,
  STATUS_OF_REFUSAL,
  VIDEO_URL,
} from '../model/jobs/video-row.ts'
import type { ListingAnswer, VideoAnswer, VideoFacts } from '../platform/platform.ts'
import type { Obstacle } from '../model/platform/refusal.ts'
import type { RowContent } from '../store/video-rows.ts'
import type { Transcript } from '../model/transcripts/transcript.ts'
import type { LongTranscript } from '../model/transcripts/transcript-forms.ts'

export type AnsweredRow = {
  content: RowContent
  transcript: Transcript | LongTranscript | null
  /** The reason for the history, more exact than the status; null where the status says it all. */
  reason: RowReason | null
}

/** What was known of the row's video before it was asked for. */
export type RowStart = {
  videoId: string
  title: string | null
  channelName: string | null
  publishedAt: string | null
}

const NO_FACTS = {
  reason: null,
  isSource: false,
  missedLanguage: null,
  languageCode: null,
  earlierJobId: null,
}

export function rowOfAnswer(row: RowStart, answer: VideoAnswer, language: string): AnsweredRow {
  const known = knownOf(row, answer.facts)
  switch (answer.kind) {
    case 'fetched': {
      const { languageCode, trackKind } = answer.transcript
      const missedLanguage = answer.isFallback ? language : null
      const facts: RowFacts = { ...NO_FACTS, status: 'success', missedLanguage, languageCode }
      const content = { ...known, ...wordsOf(facts), languageCode, trackKind }
      return { content, transcript: answer.transcript, reason: null }
    }
    case 'refused': {
      const { reason, text } = answer.refusal
      const facts: RowFacts = { ...NO_FACTS, status: STATUS_OF_REFUSAL[reason], reason }
      const words = wordsOf(facts)
      const said = text === null ? '' : ` The platform says: "${text}"`
      const errorMessage = `${words.errorMessage ?? ''}${said}`.trim()
      const content = { ...known, ...NO_TRACK, ...words, errorMessage }
      return { content, transcript: null, reason }
    }
    case 'obstructed': {
      const facts: RowFacts = { ...NO_FACTS, status: statusOfObstacle(answer.obstacle) }
      const errorMessage = answer.obstacle.text
      const content = { ...known, ...NO_TRACK, ...wordsOf(facts), errorMessage }
      return { content, transcript: null, reason: null }
    }
    default:
      return answer satisfies never
  }
}

/** Returns the row of a source whose list does not exist or was cut short. */
export function sourceRow(
  line: string,
  outcome: Exclude<ListingAnswer, { kind: 'page' }>,
): RowContent {
  const status = outcome.kind === 'missing' ? 'invalid_url' : statusOfObstacle(outcome.obstacle)
  const facts: RowFacts = { ...NO_FACTS, status, isSource: true }
  const text = outcome.kind === 'missing' ? outcome.text : outcome.obstacle.text
  return {
    ...emptyRow(line),
    ...wordsOf(facts),
    errorMessage: text === '' ? errorMessageOf(facts) : text,
  }
}

/** Returns the row of a list that was read as far as it is free: what was reached, and when it goes on. */
export function pausedRow(
  line: string,
  { bound, listed }: { bound: SpentBound; listed: number },
): RowContent {
  const facts: RowFacts = { ...NO_FACTS, status: 'truncated', isSource: true }
  const listedText =
    listed === 1 ? '1 video of this list was listed' : `${listed} videos of this list were listed`
  return { ...emptyRow(line), ...wordsOf(facts), errorMessage: pausedSentence(bound, listedText) }
}

function pausedSentence(bound: SpentBound, listed: string): string {
  const goesOn = 'Send the same URLs again to go on'
  const tomorrow = `${goesOn} after midnight (UTC), or after adding credit.`
  switch (bound) {
    case 'job':
      return `This job has read as much of its lists as one job may; ${listed}. ${goesOn}.`
    case 'day':
      return `This account has used up its free listing for today; ${listed}. ${tomorrow}`
    case 'refused':
      return `This account requested too many videos without a transcript today; ${listed}. ${tomorrow}`
    default:
      return bound satisfies never
  }
}

/** Returns the row of a video whose date could not be asked for, though bounds need it. */
export function obstructedRow(row: RowStart, obstacle: Obstacle): RowContent {
  const facts: RowFacts = { ...NO_FACTS, status: statusOfObstacle(obstacle) }
  return {
    ...knownOf(row, null),
    ...NO_TRACK,
    ...wordsOf(facts),
    errorMessage: `Its publish date could not be asked for. ${obstacle.text}`,
  }
}

/** Returns the row of a video that has another row in the job, under the id as the platform spells it. */
export function sameVideoRow(row: RowStart, { facts }: VideoAnswer): AnsweredRow {
  const own = { ...facts, canonicalId: null } // an id stands in one row of a job only
  const words = wordsOf({ ...NO_FACTS, status: 'skipped', reason: 'same_video' })
  const content = { ...knownOf(row, own), ...NO_TRACK, ...words }
  return { content, transcript: null, reason: 'same_video' }
}

/** Returns a row that needs no captions: `unchanged`, `skipped`, `truncated`. */
export function freeRow(
  row: RowStart,
  facts: Partial<RowFacts> & Pick<RowFacts, 'status'>,
): RowContent {
  return { ...knownOf(row, null), ...NO_TRACK, ...wordsOf({ ...NO_FACTS, ...facts }) }
}

export function videoUrl(videoId: string): string {
  return `${VIDEO_URL}${videoId}`
}

function emptyRow(line: string): Omit<RowContent, 'status' | 'label' | 'errorMessage'> {
  return {
    videoId: null,
    title: null,
    url: line,
    channelName: null,
    publishedAt: null,
    ...NO_TRACK,
  }
}

const NO_TRACK = { languageCode: null, trackKind: null }

function statusOfObstacle({ kind }: Obstacle): 'blocked_suspect' | 'failed' {
  return kind === 'blocked' ? 'blocked_suspect' : 'failed'
}

function wordsOf(facts: RowFacts): Pick<RowContent, 'status' | 'label' | 'errorMessage'> {
  return { status: facts.status, label: labelOf(facts), errorMessage: errorMessageOf(facts) }
}

function knownOf(row: RowStart, facts: VideoFacts | null): RowStart & { url: string } {
  const videoId = facts?.canonicalId ?? row.videoId
  return {
    videoId,
    url: videoUrl(videoId),
    title: facts?.title ?? row.title,
    channelName: facts?.channelName ?? row.channelName,
    publishedAt: facts?.publishedAt ?? row.publishedAt,
  }
}
