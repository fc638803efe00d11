/** Talks: videos with the words, cues and lengths of real ones, for measurements of sizes and times. */
import { lectureOf } from './lectures.ts'
import type { Talk } from './model.ts'
import { asr, manual } from './track-sets.ts'

/** The usual length, twelve minutes: some 1,900 words in 270 cues. */
const USUAL_S = 720
const HOUR_S = 3_600
const talk = { style: 'talk' } as const

const USUAL: Talk = { durationS: USUAL_S, language: 'en', tracks: [asr('en', talk)] }
/** The talks of a mixed channel, in turns. */
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

/** Returns the talk of an upload, or null where the channel has none. */
export function talkOf(channelKey: string, upload: number): Talk | null {
  if (channelKey === 'lectures') return lectureOf(upload)
  if (channelKey === 'talks') return USUAL
  return channelKey === 'worldtalks' ? (MIX[upload % MIX.length] ?? USUAL) : null
}
