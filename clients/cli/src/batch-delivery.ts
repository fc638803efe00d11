/** Brings the texts of a batch's jobs, each as soon as it is over, and tells of all of them at the end. */
import { unchangedOf } from '../../typescript/src/earlier.ts'
import type { Batch, Scriptorium, Video } from '../../typescript/src/index.ts'
import {
  type Brought,
  missingOf,
  missingRows,
  nothingYet,
  openBringing,
  sayBrought,
  sayMissing,
  sayUnchanged,
} from './delivery-output.ts'
import { leftLines } from './batch-left.ts'
import { EXIT, type ExitCode, usageFailure } from './failure.ts'
import { namesIndex } from './file-names.ts'
import { followBatch } from './follow-batch.ts'
import type { Output } from './output.ts'
import { printJson, type Shell } from './shell.ts'

/** Throws where names of files count the videos of a job: a batch has several first ones. */
export function requireNamesForBatch(output: Output): void {
  if (output.kind === 'stdout' || !namesIndex(output.template)) return
  throw usageFailure(
    'an order of several jobs has several videos of each number: name the files by title or id',
  )
}

/** Resolves with how the batch ended, and the command's exit code. */
export async function deliverBatch(
  shell: Shell,
  client: Scriptorium,
  { batch, output }: { batch: Batch; output: Output },
): Promise<{ batch: Batch; exit: ExitCode }> {
  requireNamesForBatch(output)
  const sofar = nothingYet()
  const brought: Brought[] = []
  const end = await followBatch(client, batch, shell.terminal, () => {
    const { look, bring } = openBringing(shell, client, { output, sofar })
    return { look, take: async (job) => void brought.push(await bring(job)) }
  })
  const missing = withoutText(brought, sofar.videos)
  if (shell.isJson && output.kind === 'files') {
    const jobs = brought.map(({ job, rows, files }) => ({ job, files, missing: missingOf(rows) }))
    await printJson(shell, { batch: end, folder: output.folder, jobs })
  } else {
    const files = brought.flatMap((one) => one.files)
    const cost = end.billing.charged
    sayBrought(shell, { output, files, printed: sofar.printed, cost })
    sayMissing(shell, missing)
    sayEnd(shell, end, brought)
    for (const line of await leftLines(client, end)) shell.terminal.say(line)
  }
  const isWhole = end.state === 'finished' && missing.length === 0
  return { batch: end, exit: isWhole ? EXIT.ok : EXIT.partial }
}

/** Returns the last row of each video that none of the jobs brought. */
function withoutText(brought: readonly Brought[], had: ReadonlySet<string | null>): Video[] {
  const rows = brought.flatMap((one) => missingRows(one.rows))
  const last = new Map(rows.map((row) => [row.videoId ?? row.url ?? row.label, row]))
  return [...last.values()].filter(({ videoId }) => videoId === null || !had.has(videoId))
}

function sayEnd({ terminal }: Shell, { state, notice }: Batch, brought: readonly Brought[]): void {
  if (state === 'stopped')
    terminal.warn(`The batch has stopped: ${notice ?? 'no reason is known.'}`)
  const unchanged = brought.flatMap(({ job, rows }) => unchangedOf(job, rows))
  sayUnchanged(terminal, new Set(unchanged.map(({ videoId }) => videoId)).size)
  if (state === 'stopped') terminal.say('Run the same command again to continue it.')
  else if (notice !== null) terminal.say(notice)
}
