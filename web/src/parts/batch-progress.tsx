/** The state of a batch and how far it is, as lists and its page show it. */
import type { BatchSummary } from '../api/batches.ts'
import { count, counted } from '../format.ts'
import { PartsBar, Tag } from './list-row.tsx'
import { statusShade } from './progress.tsx'

const TAGS: Record<BatchSummary['state'] | 'limit', { word: string; look: string }> = {
  running: { word: 'Running', look: 'bg-accent text-on-accent' },
  finished: { word: 'Finished', look: 'bg-accent-soft text-accent-strong' },
  stopped: { word: 'Stopped', look: 'bg-warn-soft text-warn' },
  limit: { word: 'Limit reached', look: 'bg-warn-soft text-warn' },
}

/** A batch that ended is only called finished where it left nothing: its notice says what it left. */
export function BatchTag({ batch: { state, notice } }: { batch: BatchSummary }) {
  const { word, look } = TAGS[state === 'finished' && notice !== null ? 'limit' : state]
  return <Tag look={look}>{word}</Tag>
}

/** Returns "622 transcripts, part 2 of 5". */
export function batchWords({ progress, part, parts, state }: BatchSummary): string {
  const delivered = counted(progress.delivered, 'transcript')
  const isPart = parts > 1 && state !== 'finished'
  return isPart ? `${delivered}, part ${count(part)} of ${count(parts)}` : delivered
}

/** Shows how many of the videos that the batch may take were taken, and how many of these have a text. */
export function TakenBar({ batch, look }: { batch: BatchSummary; look?: string }) {
  const { progress, maxVideos, state } = batch
  const { processed, delivered } = progress
  const words = `${count(processed)} of at most ${count(maxVideos)} videos taken`
  return (
    <PartsBar
      parts={[
        [statusShade('success'), delivered],
        [statusShade(''), processed - delivered],
      ]}
      whole={Math.max(1, state === 'finished' ? processed : maxVideos)}
      look={look}
      done={{ words, size: processed }}
    />
  )
}
