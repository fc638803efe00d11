/** A batch as `job`, `cancel` and `rename` show it. */
import type { Batch, Scriptorium } from '../../typescript/src/index.ts'
import { leftLines } from './batch-left.ts'
import { EXIT, type ExitCode } from './failure.ts'
import { followBatch } from './follow-batch.ts'
import { printJson, type Shell } from './shell.ts'
import { factsOf, minute } from './table.ts'
import { dollars } from './usd.ts'

/** Shows a batch; with `--watch` when it has ended. */
export async function showBatch(shell: Shell, client: Scriptorium, id: string): Promise<ExitCode> {
  let batch = await client.batches.get(id)
  if (shell.options['watch'] === true) {
    shell.onInterrupt(
      batch.state === 'running' ? ['The batch keeps running at the service.'] : null,
    )
    const nothing = { look: () => undefined, take: () => Promise.resolve() }
    batch = await followBatch(client, batch, shell.terminal, () => nothing)
  }
  await printBatch(shell, client, batch)
  return EXIT.ok
}

export async function printBatch(shell: Shell, client: Scriptorium, batch: Batch): Promise<void> {
  const { terminal } = shell
  if (shell.isJson) return printJson(shell, batch)
  const { id, title, state, notice, createdAt, maxVideos, lines, part, parts } = batch
  const { progress, billing, jobs } = batch
  const left = await leftLines(client, batch)
  const counts = Object.entries(progress.counts).filter(([, count]) => count > 0)
  const most = `${maxVideos.toLocaleString('en-US')} videos, ${dollars(billing.atMost)}`
  const rows: [string, string][] = [
    ['batch', id],
    ['name', title],
    ['state', notice === null ? state : `${state}: ${notice}`],
    ['ordered', `${minute(createdAt)}, at most ${most}`],
    ['lines', parts === 1 ? String(lines) : `${lines}, at part ${part} of ${parts}`],
    ['delivered', progress.delivered.toLocaleString('en-US')],
    ...counts.map(([status, count]): [string, string] => [`  ${status}`, String(count)]),
    ['cost', dollars(billing.charged)],
    ...jobs.map((job, at): [string, string] => [
      at === 0 ? 'jobs' : '',
      `${job.id} ${job.state}, ${job.title ?? `${job.delivered} delivered`}`,
    ]),
    ...left.map((text, at): [string, string] => [at === 0 ? 'left' : '', text]),
  ]
  await terminal.data(factsOf(rows, terminal))
}
