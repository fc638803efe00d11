/** Asks the platform for exact publish dates: each once, several at a time, none in vain. */
import { exactly, type KnownDate } from '../jobs/date-bounds.ts'
import type { JobRun } from './job-run.ts'

export type AskedDate = KnownDate & { kind: 'exact' | 'undated' }

export type DateAsker = {
  /** Asks, or joins who asked before. Rejects with the run's signal. */
  ask(videoId: string): Promise<AskedDate>
  /** The answer that is under way, or there; null where nobody asked. */
  asked(videoId: string): Promise<AskedDate> | null
  /** The date as the platform spells it; null as long as it has not answered with one. */
  spelled(videoId: string): string | null
}

/** For the videos of one page. An obstacle is an unknown date: it is not remembered. */
export function dateAsker(run: JobRun): DateAsker {
  const answers = new Map<string, Promise<AskedDate>>()
  const spelled = new Map<string, string>()

  async function ask(videoId: string): Promise<AskedDate> {
    const answer = await run.platform.fetchPublishedAt(videoId, run.signal)
    if (answer.kind !== 'dated') return UNDATED
    const date = exactly(answer.publishedAt)
    if (date.kind !== 'exact') return UNDATED
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

const UNDATED: AskedDate = { kind: 'undated' }
