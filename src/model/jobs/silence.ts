/**
 * Which workers are gone: those of jobs whose heartbeat stood still over so many looks in a row. Looks are counted, not
 * seconds: while the database was away, a clock was set or this process stood still, there was no look, and so no
 * worker is given up for it.
 */

/** A job that a worker holds. */
export type Held = { jobId: string; attempt: number; heartbeat: number }

export type Silence = {
  /** Takes all jobs that are held now, at intervals of a second; returns those whose worker is gone. */
  look(held: readonly Held[]): Held[]
}

export function openSilence(looksMax: number): Silence {
  let seen = new Map<string, Held & { looks: number }>()
  return {
    look(held) {
      const now = held.map((one) => {
        const before = seen.get(one.jobId)
        const isSame = before?.attempt === one.attempt && before.heartbeat === one.heartbeat
        return { ...one, looks: isSame ? before.looks + 1 : 0 }
      })
      seen = new Map(now.map((one) => [one.jobId, one]))
      return now.filter(({ looks }) => looks >= looksMax)
    },
  }
}
