/** Asks the platform for exact publish dates: each date once, and several at a time. */
import { type AskedDate, exactly } from '../model/jobs/date-bounds.ts'
import { readPublishDates, rememberPublishDate } from '../features/jobs/lists.ts'
import type { DateAnswer } from '../platform/platform.ts'
import type { DateAsker } from './list-dates.ts'
import type { Asker } from './worker-context.ts'

/** Thrown where the account's allowance ended before a date could be asked for. */
export class DatesSpent extends Error {}

/**
 * Returns what asks for the dates of one page's videos. It knows the dates that the account asked for lately. A date
 * that the platform could not tell is not stored, so that it is asked for again.
 */
export async function dateAsker(asker: Asker, videoIds: string[]): Promise<DateAsker> {
  const answers = new Map<string, Promise<AskedDate>>()
  const spelled = new Map<string, string>()
  const known = await readPublishDates(asker.ctx.db, asker.share.accountId, videoIds)

  async function ask(videoId: string): Promise<AskedDate> {
    const publishedAt = known.get(videoId)
    const answer: DateAnswer =
      publishedAt === undefined ? await askPlatform(asker, videoId) : { kind: 'dated', publishedAt }
    if (answer.kind !== 'dated') return answer
    const date = exactly(answer.publishedAt)
    if (date.kind !== 'exact') return { kind: 'undated' }
    spelled.set(videoId, answer.publishedAt)
    return date
  }

  return {
    ask(videoId) {
      const known = answers.get(videoId)
      if (known !== undefined) return known
      const answer = ask(videoId)
      answer.catch(() => undefined) // the caller that awaits the answer gets the error; there may be none
      answers.set(videoId, answer)
      return answer
    },
    asked: (videoId) => answers.get(videoId) ?? null,
    spelled: (videoId) => spelled.get(videoId) ?? null,
  }
}

async function askPlatform(
  { ctx, share, platform, calls, signal }: Asker,
  videoId: string,
): Promise<DateAnswer> {
  const answer = await calls.ask((onCall) =>
    ctx.slots.fetching.run(share, signal, () =>
      platform.fetchPublishedAt({ videoId, onCall }, signal),
    ),
  )
  if (answer === null) throw new DatesSpent()
  if (answer.kind === 'dated') {
    const { publishedAt } = answer
    await rememberPublishDate(ctx.db, share.accountId, { videoId, publishedAt })
  }
  return answer
}
