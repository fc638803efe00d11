/**
 * Owned texts: what an account already has of a video, by whichever order it came.
 *
 * The history of a URL set (history.ts) says how a repeat goes on; owned texts say what another order would buy a
 * second time. A job that leaves them out marks nothing in the history: ordered as new, the video is bought.
 */
import { meetsWish } from '../transcripts/caption-track.ts'
import { nearnessOf } from '../transcripts/language-code.ts'

/** Choices for videos that the account owns by another order: left out, uncharged, or bought again. */
export const OWNED_CHOICES = ['skip', 'again'] as const
export type OwnedChoice = (typeof OWNED_CHOICES)[number]

/** A delivered text that is kept: the row that holds it, and since when the account has it. */
export type OwnedText = {
  jobId: string
  index: number
  languageCode: string
  /** The language that its order wished: `original` or a code. */
  wishedLanguage: string
  deliveredAt: Date
}

/**
 * Returns the text that meets an order's wish, of several the first delivered, so that later purchases change nothing;
 * null where none does. What an order was given in another language for the same wish, however that was spelled, is all
 * that there was.
 */
export function findMeeting<Text extends OwnedText>(
  texts: readonly Text[],
  wish: string,
): Text | null {
  const meeting = texts.filter(
    ({ languageCode, wishedLanguage }) =>
      meetsWish(languageCode, wish) || nearnessOf(wishedLanguage, wish) === 'same',
  )
  return meeting.toSorted((a, b) => a.deliveredAt.getTime() - b.deliveredAt.getTime())[0] ?? null
}
