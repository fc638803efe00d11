/** The exact publish date: WEB's player reply holds it even where it holds nothing else. */
import type { Hold } from '../egress/lanes.ts'
import { type Asking, askJson } from './asking.ts'
import type { ClientProfile } from './clients.ts'
import { type Hurdle, hurdle, ruleOf } from './hurdle.ts'
import { DATE_FIELDS, playerBody } from './innertube.ts'
import { textAt } from './json.ts'
import { readPlayer } from './player.ts'

export type DateReading =
  { kind: 'dated'; publishedAt: string } | { kind: 'undated' } | { kind: 'hurdle'; hurdle: Hurdle }

/** 3 to 8 KB by mask, measured 2026-06; the only source of exact dates that is always there. */
export async function askDate(
  asking: Asking,
  hold: Hold,
  { videoId, client, isMasked }: { videoId: string; client: ClientProfile; isMasked: boolean },
  signal: AbortSignal,
): Promise<DateReading> {
  const fields = isMasked ? DATE_FIELDS : null
  const call = { name: 'date', client, body: playerBody(videoId), fields } as const
  const answer = await askJson(asking, hold, call, signal)
  return answer.kind === 'hurdle' ? answer : readDate(answer.value, videoId)
}

export function readDate(reply: unknown, videoId: string): DateReading {
  const named = textAt(reply, 'videoDetails', 'videoId')
  if (named !== null && named !== videoId) return { kind: 'hurdle', hurdle: hurdle('decoy') }
  const microformat = ['microformat', 'playerMicroformatRenderer']
  const date =
    textAt(reply, ...microformat, 'publishDate') ?? textAt(reply, ...microformat, 'uploadDate')
  if (date !== null && !Number.isNaN(Date.parse(date))) {
    // A date without a time was the platform's form before 2023; it counts as UTC midnight.
    return {
      kind: 'dated',
      publishedAt: /^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T00:00:00+00:00` : date,
    }
  }
  const player = readPlayer(reply, videoId)
  const isBlocked = player.kind === 'hurdle' && ruleOf(player.hurdle).blame === 'route'
  return isBlocked ? player : { kind: 'undated' }
}
