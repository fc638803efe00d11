/** The findings of a preview about a line, in words. */
import type { OwnedChoice, Preview, PreviewSource } from './api/client.ts'
import { count, counted } from './format.ts'
import { dayWords } from './order-fields.ts'

type Told = { preview: Preview; owned: OwnedChoice }

export function lineWords(source: PreviewSource, told: Told): string {
  const { kind, error, wouldTake, isComplete, videos } = source
  if (error !== null) return error
  const isRead = videos !== null && (kind !== 'video' || isComplete)
  if (told.preview.state !== 'ready' && !isRead) return 'Checking …'
  if (kind === 'video') return videoWords(source, told)
  const about = isComplete ? '' : 'about '
  const taken = wouldTake === 0 ? whyNone(source, told) : `${about}${count(wouldTake)} to fetch`
  return `${sizeWords(source, told)}; ${taken}`
}

function videoWords(source: PreviewSource, told: Told): string {
  const { delivered, owned, knownNegative, wouldTake } = source
  if (delivered > 0) return 'Owned'
  if (owned > 0 && told.owned === 'skip') return 'Owned'
  if (wouldTake === 0) return upperFirst(whyNone(source, told))
  if (owned > 0) return 'Owned; fetched and charged again'
  return knownNegative > 0 ? 'Refused before; it is tried again' : 'New'
}

function upperFirst(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns why nothing of a line is fetched. */
function whyNone(source: PreviewSource, told: Told): string {
  const { preview } = told
  const first = sameBefore(source, preview)
  if (first !== null) return `the same as line ${first}`
  if (preview.wouldTake >= preview.input.maxVideos)
    return 'nothing: the lines before take the maximum'
  if (source.kind === 'video') return 'comes with a line before it'
  return isInLinesBefore(source, told) ? 'already in the lines before it' : 'nothing new'
}

/** Returns whether a list of which the account has nothing is taken by earlier lines, as a part of a channel is. */
function isInLinesBefore(source: PreviewSource, { preview, owned }: Told): boolean {
  const isBounded = dayWords(preview.input).length > 0
  const before = preview.sources.slice(0, preview.sources.indexOf(source))
  const isKnown = hasOf(source, owned) + source.knownNegative > 0
  return !isBounded && !isKnown && source.videos !== 0 && before.some((one) => one.wouldTake > 0)
}

/** Returns the number of an earlier line that is the same video or list, in another spelling; null where none is. */
function sameBefore(source: PreviewSource, { sources }: Preview): number | null {
  const { kind, pictureUrl, title, videos } = source
  const at = sources.findIndex(
    (one) =>
      pictureUrl !== null &&
      one.pictureUrl === pictureUrl &&
      one.kind === kind &&
      one.title === title &&
      one.videos === videos,
  )
  return at < 0 || sources[at] === source || at >= sources.indexOf(source) ? null : at + 1
}

/** Returns how many videos of a line the order leaves out, since the account has them. */
function hasOf({ delivered, owned }: PreviewSource, choice: OwnedChoice): number {
  return choice === 'skip' ? Math.max(owned, delivered) : delivered
}

/** Returns "18 of 24 you already have, free", with "at least" before it where the list was read in part. */
function sizeWords(source: PreviewSource, told: Told): string {
  const { videos, delivered, owned, isComplete } = source
  if (videos === null) return 'Read in part'
  const has = hasOf(source, told.owned)
  const again = Math.max(0, owned - delivered)
  if (has === 0 && again === 0) return videos === 0 ? 'Empty' : counted(videos, 'video')
  const least = isComplete ? '' : 'at least '
  if (has > 0) return `${least}${count(has)} of ${count(videos)} you already have, free`
  return `${least}${count(again)} of ${count(videos)} you already have`
}
