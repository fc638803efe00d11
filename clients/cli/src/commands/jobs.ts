/** `jobs`, `job ID`, `results ID`, `rename ID NAME`, `cancel ID`: orders and their outcomes. */
import { isFinal, type Job, type Video } from '../../../typescript/src/index.ts'
import { readRows } from '../deliveries.ts'
import { EXIT, usageFailure } from '../failure.ts'
import { isBatchId } from '../follow-batch.ts'
import { followJob } from '../follow-job.ts'
import { type Command, connect, numberOption, printJson, type Shell, textOption } from '../shell.ts'
import { printBatch, showBatch } from '../show-batch.ts'
import { factsOf, minute, tableOf } from '../table.ts'
import { dollars } from '../usd.ts'

const LIMIT = { min: 1, max: 50 }
/** Least width of what a job is called. */
const TITLE_MIN = 24
/** `delivered` is of the videos that the job found, or of those that it may take, whichever are fewer. */
const HEADINGS = ['job', 'ordered', 'state', 'delivered', 'cost', 'called']
const OFFSET = { min: 0, max: 999_999_999 }

export const jobs: Command = async (shell) => {
  const limit = numberOption(shell.options, 'limit', LIMIT) ?? 20
  const offset = numberOption(shell.options, 'offset', OFFSET) ?? 0
  const list = await connect(shell).jobs.list({ limit, offset })
  if (shell.isJson) await printJson(shell, list)
  else if (list.jobs.length === 0) shell.terminal.say('No jobs')
  else {
    const rows = [HEADINGS, ...list.jobs.map(jobCells)]
    await shell.terminal.data(tableOf(rows, shell.terminal, TITLE_MIN))
  }
  return EXIT.ok
}

export const job: Command = async (shell) => {
  const client = connect(shell)
  const [id = ''] = shell.words
  if (isBatchId(id)) return showBatch(shell, client, id)
  let found = await client.jobs.get(id)
  if (shell.options['watch'] === true) {
    shell.onInterrupt(isFinal(found) ? null : ['The job keeps running at the service.'])
    found = await followJob(client, found, shell.terminal)
  }
  await printJob(shell, found)
  return EXIT.ok
}

export const cancel: Command = async (shell) => {
  const client = connect(shell)
  const [id = ''] = shell.words
  if (isBatchId(id)) await printBatch(shell, client, await client.batches.stop(id))
  else await printJob(shell, await client.jobs.cancel(id))
  return EXIT.ok
}

export const rename: Command = async (shell) => {
  const [id = '', ...words] = shell.words
  const note = textOption(shell.options, 'note')
  const name = words.join(' ')
  if (isBatchId(id)) {
    if (note !== undefined) throw usageFailure('--note is for jobs; a batch has a name only')
    const client = connect(shell)
    await printBatch(shell, client, await client.batches.change(id, { name }))
    return EXIT.ok
  }
  // A note alone leaves the name as it is.
  const named = words.length > 0 || note === undefined ? { name } : {}
  const noted = note === undefined ? {} : { note }
  await printJob(shell, await connect(shell).jobs.change(id, { ...named, ...noted }))
  return EXIT.ok
}

export const results: Command = async (shell) => {
  const client = connect(shell)
  const [id = ''] = shell.words
  const status = textOption(shell.options, 'status')
  const rows: Video[] = []
  const ids = isBatchId(id) ? (await client.batches.get(id)).jobs.map((one) => one.id) : [id]
  for (const one of ids)
    rows.push(...(await readRows(client, one, status === undefined ? {} : { status })))
  if (shell.isJson) await printJson(shell, { id, videos: rows })
  else await shell.terminal.data(tableOf(rows.map(rowCells), shell.terminal))
  return EXIT.ok
}

function jobCells(one: Job): string[] {
  const { delivered, discovered } = one.progress
  return [
    one.id,
    minute(one.createdAt),
    one.state,
    discovered === null
      ? String(delivered)
      : `${delivered} of ${Math.min(discovered, one.input.maxVideos)}`,
    money(one),
    one.batch === undefined ? titleOf(one) : `${titleOf(one)}, ${partOf(one.batch)}`,
  ]
}

function partOf({ id, number }: NonNullable<Job['batch']>): string {
  return `job ${number} of ${id}`
}

/** Returns what a job is called; its lines where the service is older than titles. */
function titleOf({ title, input }: Job): string {
  return title ?? input.urls.join(' ')
}

function rowCells({ index, videoId, status, title, url }: Video): string[] {
  return [String(index), videoId ?? '-', status, title ?? url ?? '']
}

async function printJob(shell: Shell, one: Job): Promise<void> {
  const { terminal } = shell
  if (shell.isJson) return printJson(shell, one)
  const { progress, input } = one
  const counts = Object.entries(progress.counts).filter(([, count]) => count > 0)
  const found = progress.discovered === null ? '' : ` of ${progress.discovered} found`
  const rows: [string, string][] = [
    ['job', one.id],
    ['name', titleOf(one)],
    ...(one.batch === undefined
      ? []
      : [['batch', `${partOf(one.batch)}, ${one.batch.title}`] satisfies [string, string]]),
    ...(one.note == null ? [] : [['note', one.note] satisfies [string, string]]),
    ['state', one.error === null ? one.state : `${one.state}: ${one.error}`],
    ['ordered', `${minute(one.createdAt)}, at most ${input.maxVideos} videos, ${input.language}`],
    ['delivered', `${progress.delivered}${found}`],
    ...counts.map(([status, count]): [string, string] => [`  ${status}`, String(count)]),
    ['cost', money(one)],
    ...input.urls.map((url, at): [string, string] => [at === 0 ? 'urls' : '', url]),
  ]
  await terminal.data(factsOf(rows, terminal))
}

function money({ billing }: Job): string {
  return billing.charged === null
    ? `${dollars(billing.reserved)} reserved`
    : dollars(billing.charged)
}
