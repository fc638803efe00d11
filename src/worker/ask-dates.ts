/** Asks the platform for exact publish dates: each once, several at a time, none in vain. */
import { type AskedDate, exactly } from '../model/jobs/date-bounds.ts'
import { readPublishDates, rememberPublishDate } from '../features/jobs/lists.ts'
import type { DateAnswer } from '../platform/platform.ts'
import type { PlanRun } from './job-run.ts'
import type { DateAsker } from './list-dates.ts'

/** What of a run it takes to ask. */
type DatesRun = Pick<PlanRun, 'db' | 'share' | 'platform' | 'slots' | 'signal' | 'calls'> & {
  job: Pick<PlanRun['job'], 'accountId'>
}

/** The account's allowance ended before a date could be asked for. */
export class DatesSpent extends Error {}

/**
 * For the videos of one page; dates that the account had asked for lately are known. An obstacle is not
 * remembered.
 */
export async function dateAsker(run: DatesRun, videoIds: string[]): Promise<DateAsker> {
  const answers = new Map<string, Promise<AskedDate>>()
  const spelled = new Map<string, string>()
  const known = await readPublishDates(run.db, run.job.accountId, videoIds)

  async function ask(videoId: string): Promise<AskedDate> {
    const publishedAt = known.get(videoId)
    const answer: DateAnswer =
      publishedAt === undefined ? await askPlatform(run, videoId) : { kind: 'dated', publishedAt }
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
      answer.catch(() => undefined) // whoever waits hears of the abort; maybe nobody does
      answers.set(videoId, answer)
      return answer
    },
    asked: (videoId) => answers.get(videoId) ?? null,
    spelled: (videoId) => spelled.get(videoId) ?? null,
  }
}

async function askPlatform(run: DatesRun, videoId: string): Promise<DateAnswer> {
  const { db, job, platform, calls, signal } = run
  const answer = await calls.ask((onCall) =>
    run.slots.fetching.run(run.share, signal, () =>
      platform.fetchPublishedAt({ videoId, onCall }, signal),
    ),
  )
  if (answer === null) throw new DatesSpent()
  if (answer.kind === 'dated') {
    const { publishedAt } = answer
    await rememberPublishDate(db, job.accountId, { videoId, publishedAt })
  }
  return answer
}
