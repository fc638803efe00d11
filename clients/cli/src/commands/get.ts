/** `get URL…`: orders transcripts, waits, and brings them. After any interruption, the same command goes on. */
import { counted } from '../delivery-output.ts'
import {
  type Batch,
  ConnectionError,
  InvalidRequestError,
  type Job,
  JobInProgressError,
  NotFoundError,
  type Scriptorium,
  ScriptoriumError,
} from '../../../typescript/src/index.ts'
import { unlessLarge } from '../../../typescript/src/transcripts.ts'
import { type ExitCode, Failure } from '../failure.ts'
import { followJob } from '../follow-job.ts'
import { newOrder, type OpenOrder, orderFile, type OrderFile } from '../order.ts'
import { isOfBatch, type OrderBody } from '../order-options.ts'
import { type Output, readOutput } from '../output.ts'
import { neededServer } from '../settings.ts'
import { type Command, connect, type Shell, textOption } from '../shell.ts'
import { dollars, microsOf } from '../usd.ts'
import { choicesOf, orderBody, readWish, type Wish } from '../wish.ts'

export const get: Command = async (shell) => {
  const { options, settings, places } = shell
  const wish = readWish(shell.words, options)
  const output = readOutput(options, shell.isJson)
  const client = connect(shell)
  const file = orderFile({ stateFolder: places.stateFolder, server: neededServer(settings), wish })
  if (options['dry-run'] === true) {
    const { dryRun } = await import('./dry-run.ts')
    return dryRun(shell, { client, wish, open: file.read() })
  }

  shell.onInterrupt([
    'Interrupted. Run the same command again to continue; nothing is bought twice.',
  ])
  const started = await startedOrder(shell, { client, wish, file, output })
  const { kind, id } = started
  shell.onInterrupt([
    `Interrupted; the ${kind} keeps running at the service. Run the same command again to continue; nothing is bought twice.`,
    `To end it: scriptorium cancel ${id}`,
  ])
  if (started.kind === 'job') return bringJob(shell, { client, file, output }, started.job)
  const { deliverBatch } = await import('../batch-delivery.ts')
  const { batch, exit } = await deliverBatch(shell, client, { batch: started.batch, output })
  // A stopped batch is continued by the same command.
  if (batch.state === 'finished') file.remove()
  return exit
}

type Fetching = { client: Scriptorium; file: OrderFile; output: Output }

async function bringJob(
  shell: Shell,
  { client, file, output }: Fetching,
  job: Job,
): Promise<ExitCode> {
  // The code that brings the texts is half of the program; it is loaded while the job runs.
  const opening = import('../delivery-output.ts').then(({ openDelivery }) =>
    openDelivery(shell, client, output),
  )
  // A failure is reported where `opening` is awaited.
  const onLook = (now: Job): void =>
    void opening.then(
      ({ look }) => look(now),
      () => undefined,
    )
  opening.catch(() => undefined)
  const final = await followJob(client, job, shell.terminal, { onLook })
  const delivery = await opening
  const exit = await delivery.deliver(final)
  // The order is forgotten only now, with every file on the disk and the result printed.
  file.remove()
  return exit
}

type Ordering = Fetching & { wish: Wish }

type Started = { kind: 'job'; id: string; job: Job } | { kind: 'batch'; id: string; batch: Batch }

async function startedOrder(shell: Shell, ordering: Ordering): Promise<Started> {
  const { client, wish, file } = ordering
  const open = shell.options['new'] === true ? null : file.read()
  const left = open === null ? null : await leftOrder(shell, ordering, open)
  if (left !== null) return left
  const isAnswered = open !== null && (open.jobId !== null || open.batchId !== undefined)
  const unanswered = isAnswered ? null : open
  const order = unanswered ?? newOrder(await bodyOf(shell, client, wish), new Date())
  file.write(order)
  const job = isOfBatch(order.body) ? null : await unlessLarge(postOrder(shell, ordering, order))
  if (job === null) return asBatch(await postBatch(shell, ordering, order))
  return asJob(await named(shell, client, job))
}

const asJob = (job: Job): Started => ({ kind: 'job', id: job.id, job })
const asBatch = (batch: Batch): Started => ({ kind: 'batch', id: batch.id, batch })

/** Returns what an interrupted command ordered; null where there is nothing to go on with. */
async function leftOrder(
  { terminal }: Shell,
  { client }: Ordering,
  { jobId, batchId, createdAt }: OpenOrder,
): Promise<Started | null> {
  const say = (kind: string, id: string): void =>
    terminal.say(`Continuing ${kind} ${id} of ${createdAt.slice(0, 10)}`)
  try {
    if (batchId !== undefined) {
      const batch = await client.batches.get(batchId)
      const now = batch.state === 'stopped' ? await client.batches.continue(batchId) : batch
      say('batch', batchId)
      return asBatch(now)
    }
    if (jobId === null) return null
    const job = await client.jobs.get(jobId)
    say('job', jobId)
    return asJob(job)
  } catch (error) {
    // The order was made with another account's key, or nothing of the batch is left to continue.
    if (error instanceof NotFoundError || isNothingLeft(error)) return null
    throw error
  }
}

function isNothingLeft(error: unknown): boolean {
  return error instanceof InvalidRequestError && error.field === 'state'
}

async function named({ options }: Shell, client: Scriptorium, job: Job): Promise<Job> {
  const name = textOption(options, 'name')
  return name === undefined ? job : client.jobs.change(job.id, { name })
}

async function postBatch(
  { terminal, options }: Shell,
  { client, wish, file, output }: Ordering,
  order: OpenOrder,
): Promise<Batch> {
  const name = textOption(options, 'name')
  try {
    const { requireNamesForBatch } = await import('../batch-delivery.ts')
    requireNamesForBatch(output)
    const request = { ...order.body, ...(name === undefined ? {} : { name }) }
    const batch = await client.batches.create(request, choicesOf(wish))
    file.write({ ...order, batchId: batch.id })
    const { id, maxVideos, parts, billing, notices } = batch
    const divided = parts === 1 ? '' : `, in ${parts} parts`
    const videos = counted(maxVideos, 'video')
    terminal.say(`Batch ${id}: at most ${videos}, ${dollars(billing.atMost)}${divided}`)
    for (const notice of notices) terminal.say(notice)
    return batch
  } catch (error) {
    if (error instanceof Failure || isRefusal(error)) file.remove()
    throw error
  }
}

/** Returns the body of an order; asks for price and size only where the order depends on them. */
async function bodyOf(
  { terminal, options }: Shell,
  client: Scriptorium,
  wish: Wish,
): Promise<OrderBody> {
  const price = wish.maxUsd === null ? null : (await client.balance()).pricePerTranscript
  const order = orderBody(wish, price === null ? 1n : (microsOf(price) ?? 1n))
  if (options['all'] !== true) return order
  const { sizedOrder } = await import('../all-videos.ts')
  terminal.status(() => 'Counting the videos of the lists')
  return sizedOrder(client, wish, order).finally(() => terminal.status(null))
}

async function postOrder(
  { terminal }: Shell,
  { client, wish, file }: Ordering,
  order: OpenOrder,
): Promise<Job> {
  const { idempotencyKey } = order
  try {
    const job = await client.jobs.start(order.body, { idempotencyKey, ...choicesOf(wish) })
    file.write({ ...order, jobId: job.id })
    const { maxVideos } = job.input
    const videos = counted(maxVideos, 'video')
    terminal.say(`Job ${job.id}: at most ${videos}, ${dollars(job.billing.reserved)}`)
    // That the balance lowers the limit matters where a list holds more: the end of the job says so.
    const notices = (job.notices ?? []).filter((notice) => notice !== job.balanceNotice)
    for (const notice of notices) terminal.say(notice)
    return job
  } catch (error) {
    if (error instanceof JobInProgressError) {
      file.write({ ...order, jobId: error.jobId })
      terminal.say(`A job for these URLs is already running: following ${error.jobId}`)
      return client.jobs.get(error.jobId)
    }
    if (isRefusal(error)) file.remove()
    throw error
  }
}

/**
 * Returns whether it is certain that nothing was started. Without an answer, or after a fault of the service, it is
 * not.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof ConnectionError || !(error instanceof ScriptoriumError)) return false
  return error.status !== null && error.status < 500
}
