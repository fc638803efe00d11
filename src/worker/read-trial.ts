/** Reads the video of a visitor's preview: asks the platform for it as spare work, and says what came of it. */
import { usualSentence } from '../model/jobs/video-row.ts'
import type { VideoAnswer } from '../platform/platform.ts'
import type { PreviewRecord } from '../store/previews.ts'
import { oneLine } from '../model/transcripts/formats.ts'
import { segmentsOf } from '../model/transcripts/transcript-forms.ts'
import { firstMinutes, type TrialFinding, VISITORS } from '../model/previews/trial.ts'
import { rowOfAnswer } from './row-content.ts'
import type { WorkerContext } from './worker-context.ts'

/** Reads the video when no job wants the slot or the route, and not at all where half of the routes rest. */
export async function readTrial(
  { platform, slots }: WorkerContext,
  { id, urls: [videoId = ''] }: PreviewRecord,
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
      // The platform's own words are left out: the page is public.
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

/** Returns the text without half characters, which the database does not take in JSON. */
function storable(text: string | null): string | null {
  return text === null ? null : oneLine(text)
}
