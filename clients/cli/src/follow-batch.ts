/** Follows a batch to its end, job by job, with one line on the terminal for all of them. */
import type { Batch, Job, Scriptorium } from '../../typescript/src/index.ts'
import { sleep } from '../../typescript/src/retry.ts'
import { type Counted, followJob, PATIENCE_MS, progressOf } from './follow-job.ts'
import { untilAnswered } from './patience.ts'
import type { Terminal } from './terminal.ts'
import { costOf, dollars } from './usd.ts'
import { BATCH_VIDEOS_MAX, videosIn } from './wish.ts'

/** Milliseconds between two looks while the next job is started. */
const PAUSE_MS = 1_000

/** What is done with one job of a batch: `look` is called with its states, `take` with the final one. */
export type JobTaker = { look(job: Job): void; take(job: Job): Promise<void> }

export function isBatchId(id: string): boolean {
  return id.startsWith('batch_')
}

/** Resolves with the batch as it is when it has ended and each of its jobs was taken. */
export async function followBatch(
  client: Scriptorium,
  batch: Batch,
  terminal: Terminal,
  openJob: () => JobTaker,
): Promise<Batch> {
  const final: Job[] = []
  let told = batch.notice
  for (let now = batch; ;) {
    const next = now.jobs[final.length]
    if (next !== undefined) {
      const { look, take } = openJob()
      const job = await untilAnswered(() => client.jobs.get(next.id), terminal, PATIENCE_MS)
      const whole = wholeOf(now, final)
      const over = await followJob(client, job, terminal, { onLook: look, whole })
      await take(over)
      final.push(over)
    } else if (now.state === 'running') {
      if (now.notice !== null && now.notice !== told) terminal.say(now.notice)
      told = now.notice
      terminal.status(() => 'Waiting for the next part')
      await sleep(PAUSE_MS)
    } else {
      terminal.status(null)
      return now
    }
    now = await untilAnswered(() => client.batches.get(batch.id), terminal, PATIENCE_MS)
  }
}

/** Returns what makes the progress of the whole batch from that of the job which runs behind the `final` ones. */
function wholeOf(
  { input, maxVideos }: Batch,
  final: readonly Job[],
): (progress: Counted, price: bigint) => Counted {
  const sum = (name: 'processed' | 'delivered'): number =>
    final.reduce((all, job) => all + progressOf(job)[name], 0)
  const [processed, before] = [sum('processed'), sum('delivered')]
  const known = maxVideos < BATCH_VIDEOS_MAX ? maxVideos : null
  const expected = videosIn(input.urls) ?? known
  return (progress, price) => {
    const delivered = before + progress.delivered
    const spent = dollars(costOf(delivered, price))
    return { delivered, processed: processed + progress.processed, expected, spent }
  }
}
