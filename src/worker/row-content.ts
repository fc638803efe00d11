/** Answers of the platform about a video, as the rows that we record: the one exhaustive translation. */
import { counted } from '../kit/text/counted.ts'
import type { SpentBound } from '../model/jobs/allowance.ts'
import {
  type RowReason,
  type RowStatus,
  STATUS_OF_REFUSAL,
  VIDEO_URL,
  wordedStatus,
  type WordFacts,
} from '../model/jobs/video-row.ts'
import type {
  ListedTab,
  ListEnd,
  ListingAnswer,
  VideoAnswer,
  VideoFacts,
} from '../platform/platform.ts'
import type { Obstacle } from '../model/platform/refusal.ts'
import type { RowContent } from '../store/video-rows.ts'
import type { TextWish } from '../model/transcripts/caption-track.ts'
import type { Transcript } from '../model/transcripts/transcript.ts'
import type { LongTranscript } from '../model/files/transcript-forms.ts'

export type AnsweredRow = {
  content: RowContent
  transcript: Transcript | LongTranscript | null
  /** The reason for the history, more exact than the status; null where the status says it all. */
  reason: RowReason | null
  /** Whether that reason may yet turn out wrong. */
  isDoubted?: boolean
}

/** Facts of the row's video before it was asked for. */
export type RowStart = {
  videoId: string
  title: string | null
  channelName: string | null
  publishedAt: string | null
}

export function rowOfAnswer(row: RowStart, answer: VideoAnswer, wish: TextWish): AnsweredRow {
  const { facts } = answer
  switch (answer.kind) {
    case 'fetched': {
      const { languageCode, trackKind } = answer.transcript
      const missedLanguage = answer.isFallback ? wish.language : null
      const missedTrack = wish.wishedTrack === trackKind ? null : wish.wishedTrack
      const { oddity = null } = answer
      const missed = { missedLanguage, missedTrack }
      const words = wordedStatus({ status: 'success', ...missed, languageCode, oddity })
      const content = { ...knownOf(row, facts), ...words, languageCode, trackKind }
      return { content, transcript: answer.transcript, reason: null }
    }
    case 'refused': {
      const { reason, text, isDoubted = false } = answer.refusal
      const usual = videoRow(row, { status: STATUS_OF_REFUSAL[reason], reason, isDoubted }, facts)
      const errorMessage = [usual.errorMessage, text].filter((each) => each !== null).join(' ')
      return { content: { ...usual, errorMessage }, transcript: null, reason, isDoubted }
    }
    case 'obstructed': {
      const usual = videoRow(row, { status: statusOfObstacle(answer.obstacle) }, facts)
      const content = { ...usual, errorMessage: answer.obstacle.text }
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
  return outcome.kind === 'missing'
    ? listRow(line, 'invalid_url', outcome.text)
    : listRow(line, statusOfObstacle(outcome.obstacle), outcome.obstacle.text)
}

const REASONS_OF_ENDS = { cut: 'list_cut', repeats: 'list_repeated', absent: 'tab_absent' } as const

/** Returns the row of a list whose end has to be told: it may hold more, or the channel has no such tab. */
export function endRow(line: string, end: ListEnd): RowContent {
  const status = end.kind === 'absent' ? 'invalid_url' : 'failed'
  return listRow(line, status, endSentence(end), REASONS_OF_ENDS[end.kind])
}

/** Returns what to tell of such an end. */
export function endSentence(end: ListEnd): string {
  const listed = `${end.listed.toLocaleString('en')} videos`
  const list = end.playlistId === undefined ? 'this list' : `the playlist ${end.playlistId}`
  switch (end.kind) {
    case 'cut': {
      if (end.counted === null)
        return (
          `The platform shows ${listed} of ${list} and then denies the next page that it named itself: ` +
          'it cut the list short.'
        )
      const counted = `${end.counted.toLocaleString('en')}${end.isAtLeast === true ? ' or more' : ''}`
      return (
        `The platform shows ${end.listed.toLocaleString('en')} of the ${counted} videos ` +
        `that it counts in ${list}, and no way to the others: they are hidden, or it cut the list short.`
      )
    }
    case 'repeats':
      return (
        `The platform repeats ${list} without end: after ${listed}, ${end.pages} pages in a ` +
        'row had nothing new, so the list ends there.'
      )
    case 'absent':
      return `This channel has no ${NAMES_OF_TABS[end.tab]}.`
    default:
      return end satisfies never
  }
}

const NAMES_OF_TABS: Record<ListedTab, string> = {
  videos: 'videos',
  shorts: 'Shorts',
  streams: 'live streams',
  podcasts: 'podcasts',
  releases: 'releases',
  courses: 'courses',
  shows: 'shows',
}

/** Returns the row of a list that was read as far as it is free: what was reached, and when it goes on. */
export function pausedRow(
  line: string,
  { bound, listed }: { bound: SpentBound; listed: number },
): RowContent {
  const listedText = `${counted(listed, 'video')} of this list ${listed === 1 ? 'was' : 'were'} listed`
  return listRow(line, 'truncated', pausedSentence(bound, listedText))
}

function pausedSentence(bound: SpentBound, listed: string): string {
  const goesOn = 'Send the same URLs again to continue'
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
  const errorMessage = `Its publish date could not be asked for. ${obstacle.text}`
  return { ...videoRow(row, { status: statusOfObstacle(obstacle) }), errorMessage }
}

/** Returns the row of a video that has another row in the job, under the id as the platform spells it. */
export function sameVideoRow(row: RowStart, { facts }: VideoAnswer): AnsweredRow {
  const own = { ...facts, canonicalId: null } // an id stands in one row of a job only
  const content = videoRow(row, { status: 'skipped', reason: 'same_video' }, own)
  return { content, transcript: null, reason: 'same_video' }
}

/** Returns the row of a video without captions, in the usual words; `said` is what the platform said of the video. */
export function videoRow(
  row: RowStart,
  facts: WordFacts,
  said: VideoFacts | null = null,
): RowContent {
  return { ...knownOf(row, said), ...NO_TRACK, ...wordedStatus(facts) }
}

export function videoUrl(videoId: string): string {
  return `${VIDEO_URL}${videoId}`
}

/** Returns the row of a line that is a list; without an `errorMessage` it has the usual one. */
function listRow(
  line: string,
  status: RowStatus,
  errorMessage: string,
  reason: RowReason | null = null,
): RowContent {
  const usual = wordedStatus({ status, isSource: true, reason })
  return {
    videoId: null,
    title: null,
    url: line,
    channelName: null,
    publishedAt: null,
    ...NO_TRACK,
    ...usual,
    errorMessage: errorMessage === '' ? usual.errorMessage : errorMessage,
  }
}

const NO_TRACK = { languageCode: null, trackKind: null }

export function statusOfObstacle({ kind }: Obstacle): 'blocked_suspect' | 'failed' {
  return kind === 'blocked' ? 'blocked_suspect' : 'failed'
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
