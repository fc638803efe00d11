/** The findings of a preview about a line, in words. */
import type { PreviewSource } from './api/client.ts'
import { count, counted } from './format.ts'

export function lineWords(source: PreviewSource, isReady: boolean): string {
  const { kind, error, wouldTake, isComplete, videos } = source
  if (error !== null) return error
  const isRead = videos !== null && (kind !== 'video' || isComplete)
  if (!isReady && !isRead) return 'Looking …'
  if (kind === 'video') return videoWords(source)
  const more = isComplete ? '' : 'about '
  const taken = wouldTake === 0 ? 'nothing new to take up' : `${more}${count(wouldTake)} to take up`
  return `${sizeWords(source)}; ${taken}`
}

function videoWords({ delivered, knownNegative, wouldTake }: PreviewSource): string {
  if (delivered > 0) return 'You already have it, free'
  if (wouldTake === 0) return 'Not taken up: the lines before it take all videos of this job'
  return knownNegative > 0 ? 'Refused before; it is tried again' : 'To take up'
}

/** Returns "18 of 24 you already have, free", with "at least" before it where the list was read in part. */
function sizeWords({ videos, delivered, isComplete }: PreviewSource): string {
  if (videos === null) return 'Read in part'
  if (delivered === 0) return videos === 0 ? 'Empty' : counted(videos, 'video')
  const least = isComplete ? '' : 'at least '
  return `${least}${count(delivered)} of ${count(videos)} you already have, free`
}
