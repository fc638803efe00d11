/** The account's jobs that end while somebody looks, whoever started them: each is told once. */
import { isFinal, type Job, type Scriptorium } from '../../typescript/src/index.ts'

const PAGE_JOBS = 50
/** What is older has ended, as good as always: a job may run for six hours where no operator allows more. */
const OPEN_MS_MAX = 24 * 3_600_000

export class EndedJobs {
  readonly #client: Pick<Scriptorium, 'jobs'>
  /** Those that were still open at the last look. */
  #open = new Set<string>()
  /** Null before the first look, which only learns what there is. */
  #final: Set<string> | null = null

  constructor(client: Pick<Scriptorium, 'jobs'>) {
    this.#client = client
  }

  /** What has ended since the look before, in that order. */
  async look(): Promise<Job[]> {
    const jobs = await this.#newest()
    const listed = new Set(jobs.map(({ id }) => id))
    // Jobs that run for long may have left the first page.
    for (const id of this.#open) if (!listed.has(id)) jobs.push(await this.#client.jobs.get(id))

    const known = this.#final
    const final = jobs.filter(isFinal)
    const ended = known === null ? [] : final.filter(({ id }) => !known.has(id))
    this.#final = new Set([...(known ?? []), ...final.map(({ id }) => id)])
    this.#open = new Set(jobs.filter((job) => !isFinal(job)).map(({ id }) => id))
    return ended.toSorted((a, b) => Date.parse(a.finishedAt ?? '') - Date.parse(b.finishedAt ?? ''))
  }

  /** At first as many pages as may have open jobs, later as many as have only new ones. */
  async #newest(): Promise<Job[]> {
    /** By id: a job that starts while pages are read pushes the last one of a page onto the next. */
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

/** Whether jobs before this one may still be open. */
function mayHideOpenOnes(job: Job): boolean {
  return !isFinal(job) || Date.now() - Date.parse(job.createdAt) < OPEN_MS_MAX
}
