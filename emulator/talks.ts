/** Talks: videos whose words, cues and lengths are those of real ones, for whoever measures sizes and times. */
import type { Track } from './model.ts'
import { asr, manual } from './track-sets.ts'

export type Talk = { durationS: number; language: string; tracks: readonly Track[] }

/** Twelve minutes: some 1,900 words in 270 cues. */
const USUAL_S = 720
const HOUR_S = 3_600
const talk = { style: 'talk' } as const

const USUAL: Talk = { durationS: USUAL_S, language: 'en', tracks: [asr('en', talk)] }
/** What a mix of channels has, in turns. */
const MIX: readonly Talk[] = [
  USUAL,
  { durationS: USUAL_S, language: 'en', tracks: [manual('en', talk), asr('en', talk)] },
  { durationS: HOUR_S, language: 'en', tracks: [asr('en', talk)] },
  { durationS: USUAL_S, language: 'ja', tracks: [asr('ja', talk)] },
  { durationS: USUAL_S, language: 'zh-Hant', tracks: [manual('zh-Hant', talk)] },
  { durationS: USUAL_S, language: 'ar', tracks: [asr('ar', talk)] },
  { durationS: HOUR_S, language: 'iw', tracks: [manual('iw', talk)] },
  { durationS: 3 * HOUR_S, language: 'en', tracks: [asr('en', talk)] },
]

/** Null in channels that are no talks. */
export function talkOf(channelKey: string, upload: number): Talk | null {
  if (channelKey === 'talks') return USUAL
  return channelKey === 'worldtalks' ? (MIX[upload % MIX.length] ?? USUAL) : null
}
