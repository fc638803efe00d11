/** Runs one trial: asks the platform for the video as spare work, and writes down what it said. */
import { usualSentence } from '../model/jobs/video-row.ts'
import type { VideoAnswer } from '../platform/platform.ts'
import type { TakenTrial } from '../store/trials.ts'
import { oneLine } from '../model/transcripts/formats.ts'
import { segmentsOf } from '../model/transcripts/transcript-forms.ts'
import { recordTrial } from '../features/previews/trials.ts'
import { firstMinutes, LATE_TRIAL, type TrialFinding, VISITORS } from '../model/previews/trial.ts'
import { rowOfAnswer } from './row-content.ts'
import type { PreviewParts } from './run-preview.ts'

export type TrialParts = Pick<PreviewParts, 'db' | 'platform' | 'slots' | 'log' | 'metrics'>

/** Throws where another worker is to read it: the process stops, or the database is away. */
export async function runTrial(
  parts: TrialParts,
  taken: TakenTrial,
  draining: AbortSignal,
): Promise<void> {
  const inTime = AbortSignal.timeout(Math.ceil(Math.max(0, taken.leftMs)))
  let finding = LATE_TRIAL
  let outcome: string = 'late'
  try {
    if (taken.leftMs > 0) {
      finding = await read(parts, taken, AbortSignal.any([draining, inTime]))
      outcome = finding.kind
    }
  } catch (error) {
    if (draining.aborted) throw error
    if (!inTime.aborted) {
      outcome = 'failed'
      parts.log.error({ err: error, trialId: taken.id }, 'a trial could not be read')
    }
  }
  if (await recordTrial(parts.db, taken, finding)) parts.metrics.trialsEnded.inc({ outcome })
}

/** Behind everybody's jobs, in slots and on routes alike, and on none where half of the routes rest. */
async function read(
  { platform, slots }: TrialParts,
  { id, videoId }: TakenTrial,
  signal: AbortSignal,
): Promise<TrialFinding> {
  const share = { accountId: VISITORS, jobId: id, isSpare: true }
  const ask = { videoId, language: LANGUAGE, wantsDate: false }
  const answer = await slots.fetching.run(share, signal, () =>
    platform.onBehalfOf(share).fetchVideo(ask, signal),
  )
  signal.throwIfAborted()
  return findingOf(videoId, answer)
}

const LANGUAGE = 'original'

async function findingOf(videoId: string, answer: VideoAnswer): Promise<TrialFinding> {
  const [title, channelName] = [storable(answer.facts.title), storable(answer.facts.channelName)]
  const start = { videoId, title: null, channelName: null, publishedAt: null }
  switch (answer.kind) {
    case 'fetched': {
      const { languageCode, trackKind } = answer.transcript
      const shown = firstMinutes(await segmentsOf(answer.transcript))
      return { kind: 'read', title, channelName, languageCode, trackKind, ...shown }
    }
    case 'refused':
    case 'obstructed': {
      const { content, reason } = rowOfAnswer(start, answer, LANGUAGE)
      const { status, label } = content
      // Without the platform's own words, which are no matter of a page that everybody sees.
      const sentence =
        status === 'success' || status === 'unchanged' ? '' : usualSentence(status, reason)
      return answer.kind === 'refused'
        ? { kind: 'refused', title, label, sentence }
        : { kind: 'obstructed', sentence }
    }
    default:
      return answer satisfies never
  }
}

/** The database takes no half characters in JSON. */
function storable(text: string | null): string | null {
  return text === null ? null : oneLine(text)
}
