/**
 * Owned texts: what an account already has of a video, by whichever order it came.
 *
 * The history of a URL set (history.ts) says how a repeat goes on; owned texts say what another order would buy a
 * second time. A job that leaves them out marks nothing in the history: ordered as new, the video is bought.
 */
import { meetsWish, type TextWish } from '../transcripts/caption-track.ts'
import { nearnessOf } from '../transcripts/language-code.ts'
import type { TrackKind } from '../transcripts/transcript.ts'

/** Choices for videos that the account owns by another order: left out, uncharged, or bought again. */
export const OWNED_CHOICES = ['skip', 'again'] as const
export type OwnedChoice = (typeof OWNED_CHOICES)[number]

/** A delivered text that is kept: the row that holds it, and since when the account has it. */
export type OwnedText = {
  jobId: string
  index: number
  languageCode: string
  trackKind: TrackKind | null
  /** Wishes of its order. */
  wishedLanguage: string
  wishedTrack: TrackKind | null
  deliveredAt: Date
}

/** The track that the platform gave for an order. */
type CameText = { languageCode: string | null; trackKind: string | null }

/** Returns whether a text is that of the very track that came. */
export function isTrackOf(text: CameText, came: CameText | null): boolean {
  return text.languageCode === came?.languageCode && text.trackKind === came.trackKind
}

/**
 * Returns the text that meets an order's wish, of several the first delivered, so that later purchases change nothing;
 * null where none does. A text meets the language and the kind each by being so, or since its own order had the same
 * wish, however that was spelled: what that was given instead is all that there was. Where a kind is wished, so does
 * the very track that `came`: only then is it known that the video has no other one.
 */
export function findMeeting<Text extends OwnedText>(
  texts: readonly Text[],
  { language, wishedTrack }: TextWish,
  came: CameText | null = null,
): Text | null {
  const meeting = texts.filter(
    (text) =>
      (meetsLanguage(text, language) && meetsTrack(text, wishedTrack)) ||
      (wishedTrack !== null && isTrackOf(text, came)),
  )
  return meeting.toSorted((a, b) => a.deliveredAt.getTime() - b.deliveredAt.getTime())[0] ?? null
}

function meetsLanguage({ languageCode, wishedLanguage }: OwnedText, wish: string): boolean {
  return meetsWish(languageCode, wish) || nearnessOf(wishedLanguage, wish) === 'same'
}

function meetsTrack({ trackKind, wishedTrack }: OwnedText, wish: TrackKind | null): boolean {
  return wish === null || trackKind === wish || wishedTrack === wish
}
