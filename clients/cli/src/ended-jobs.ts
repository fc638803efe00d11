/** The account's jobs that end while the command looks, whichever program started them: each is returned once. */
import { isFinal, type Job, type Scriptorium } from '../../typescript/src/index.ts'

const PAGE_JOBS = 50
/** Jobs older than this count as ended: a job may run for six hours unless an operator allows more. */
const OPEN_MS_MAX = 24 * 3_600_000

export class EndedJobs {
  readonly #client: Pick<Scriptorium, 'jobs'>
  /** Ids of jobs that were still open at the last look. */
  #open = new Set<string>()
  /** Ids of jobs known to be final; null before the first look, which only learns which jobs there are. */
  #final: Set<string> | null = null

  constructor(client: Pick<Scriptorium, 'jobs'>) {
    this.#client = client
  }

  /** Returns the jobs that have ended since the last look, in the order of their ends. */
  async look(): Promise<Job[]> {
    const jobs = await this.#newest()
    const listed = new Set(jobs.map(({ id }) => id))
    // A job that runs for long may have left the first pages.
    for (const id of this.#open) if (!listed.has(id)) jobs.push(await this.#client.jobs.get(id))

    const known = this.#final
    const final = jobs.filter(isFinal)
    const ended = known === null ? [] : final.filter(({ id }) => !known.has(id))
    this.#final = new Set([...(known ?? []), ...final.map(({ id }) => id)])
    this.#open = new Set(jobs.filter((job) => !isFinal(job)).map(({ id }) => id))
    return ended.toSorted((a, b) => Date.parse(a.finishedAt ?? '') - Date.parse(b.finishedAt ?? ''))
  }

  /** Reads, at first, as many pages as may have open jobs, later as many as have only new ones. */
  async #newest(): Promise<Job[]> {
    /** Jobs are kept by id: a job that starts while pages are read pushes the last one of a page onto the next. */
    const jobs = new Map<string, Job>()
    for (let offset: number | null = 0; offset !== null;) {
      const page = await this.#client.jobs.list({ offset, limit: PAGE_JOBS })
      for (const job of page.jobs) jobs.set(job.id, job)
      const goesOn =
        this.#final === null
          ? page.jobs.some(mayHideOpenOnes)
          : !page.jobs.some(({ id }) => this.#final?.has(id) === true || this.#open.has(id))
      offset = goesOn ? page.nextOffset : null
    }
    return [...jobs.values()]
  }
}

/** Returns whether jobs before this one may still be open. */
function mayHideOpenOnes(job: Job): boolean {
  return !isFinal(job) || Date.now() - Date.parse(job.createdAt) < OPEN_MS_MAX
}
