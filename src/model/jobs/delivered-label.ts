/** The label of a delivered row: how the track that came stands to the one that was asked for. */
import { ORIGINAL } from '../transcripts/caption-track.ts'
import { nearnessOf } from '../transcripts/language-code.ts'
import { ODDITIES, type TrackOddity } from '../transcripts/odd-track.ts'
import type { TrackKind } from '../transcripts/transcript.ts'

export type DeliveredFacts = {
  /** The caption language asked for, where another one had to be delivered, or a first one as `original`; else null. */
  missedLanguage: string | null
  /** The kind of track asked for, where the language has only the other one; else null. */
  missedTrack: TrackKind | null
  /** How the delivered track is unlike captions; null where it is not. */
  oddity: TrackOddity | null
  /** The language of the delivered track; null where nothing was delivered. */
  languageCode: string | null
}

export function labelOfDelivered(facts: DeliveredFacts): string {
  const { languageCode, missedLanguage, missedTrack, oddity } = facts
  const code = languageCode ?? ''
  const notes = missedTrack === null ? [] : [`${INSTEAD_OF[missedTrack]} in ${code}`]
  if (oddity !== null) notes.push(ODDITIES[oddity])
  const delivered =
    missedLanguage === null
      ? 'Delivered'
      : `Delivered in ${code}, ${fallbackWords(code, missedLanguage)}`
  return [delivered, ...notes].join('; ')
}

/** Tracks that stand in for one of the kind that was asked for; the language follows. */
const INSTEAD_OF: Record<TrackKind, string> = {
  asr: "the creator's captions, as there are no automatic ones",
  manual: 'automatic captions, as the creator published none',
}

/** Returns how the delivered language stands to the one asked for. */
function fallbackWords(delivered: string, missed: string): string {
  if (missed.toLowerCase() === ORIGINAL)
    return 'the first language listed: nothing tells the original one'
  switch (nearnessOf(delivered, missed)) {
    case 'otherScript':
      return `the same language in another script: no captions in that of ${missed}`
    case 'family':
      return `a language of the same family: no captions in ${missed}`
    case 'same':
    case null:
      return `the original language: no captions in ${missed}`
  }
}
