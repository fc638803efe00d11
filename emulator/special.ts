/** A special video of the Caption Laboratory, by what is unlike an ordinary one. */
import type { Track, VideoFacts, VideoKind, VideoState } from './model.ts'
import { asr } from './track-sets.ts'

export type Special = {
  key: string
  note: string
  state: VideoState
  kind: VideoKind
  language: string | null
  tracks: readonly Track[]
  audio: readonly string[]
  durationS: number
  title: string | null
  isListed: boolean
  /** What it is once the knob `areOpened` is set; null where it stays. */
  opened: VideoFacts | null
}

export type SpecialRest = Partial<Omit<Special, 'key' | 'note'>>

export const special = (key: string, note: string, rest: SpecialRest = {}): Special => ({
  key,
  note,
  state: 'ok',
  kind: 'video',
  language: 'en',
  tracks: [asr('en')],
  audio: [],
  durationS: 240,
  title: null,
  isListed: true,
  opened: null,
  ...rest,
})
