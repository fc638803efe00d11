/** `get URL…`: orders transcripts, waits, and brings them. After any interruption, the same command goes on. */
import {
  ConnectionError,
  type Job,
  JobInProgressError,
  NotFoundError,
  type Scriptorium,
  ScriptoriumError,
} from '../../../typescript/src/index.ts'
import { followJob } from '../follow-job.ts'
import { newOrder, type OpenOrder, type OrderBody, orderFile, type OrderFile } from '../order.ts'
import { readOutput } from '../output.ts'
import { neededServer } from '../settings.ts'
import { type Command, connect, type Shell } from '../shell.ts'
import { dollars, microsOf } from '../usd.ts'
import { orderBody, ownedChoice, readWish, type Wish } from '../wish.ts'

export const get: Command = async (shell) => {
  const { options, terminal, settings, places } = shell
  const wish = readWish(shell.words, options)
  const output = readOutput(options, shell.isJson)
  const client = connect(shell)
  const file = orderFile({ stateFolder: places.stateFolder, server: neededServer(settings), wish })
  if (options['dry-run'] === true) {
    const { dryRun } = await import('./dry-run.ts')
    return dryRun(shell, { client, wish, open: file.read() })
  }

  shell.onInterrupt(['Interrupted. The same command goes on and buys nothing twice.'])
  const job = await startedJob(shell, { client, wish, file })
  shell.onInterrupt([
    'Interrupted; the job goes on at the service. The same command goes on and buys nothing twice.',
    `To end it: scriptorium cancel ${job.id}`,
  ])
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
  const final = await followJob(client, job, terminal, onLook)
  const delivery = await opening
  const exit = await delivery.deliver(final)
  // The order is forgotten only now, with every file on the disk and the result printed.
  file.remove()
  return exit
}

type Ordering = { client: Scriptorium; wish: Wish; file: OrderFile }

async function startedJob(shell: Shell, { client, wish, file }: Ordering): Promise<Job> {
  const { terminal, options } = shell
  const open = options['new'] === true ? null : file.read()
  if (open?.jobId != null) {
    try {
      const job = await client.jobs.get(open.jobId)
      terminal.say(`Going on with job ${job.id} of ${open.createdAt.slice(0, 10)}`)
      return job
    } catch (error) {
      // The order was made with another account's key.
      if (!(error instanceof NotFoundError)) throw error
    }
  }
  const unanswered = open?.jobId === null ? open : null
  const order = unanswered ?? newOrder(await bodyOf(client, wish), new Date())
  file.write(order)
  return postOrder(shell, { client, wish, file, order })
}

/** Returns the body of an order; asks for the price only where the order depends on it. */
async function bodyOf(client: Scriptorium, wish: Wish): Promise<OrderBody> {
  if (wish.maxUsd === null) return orderBody(wish, 1n)
  const { pricePerTranscript } = await client.balance()
  return orderBody(wish, microsOf(pricePerTranscript) ?? 1n)
}

const OF_BALANCE = 'The balance covers'

async function postOrder(
  { terminal }: Shell,
  { client, wish, file, order }: Ordering & { order: OpenOrder },
): Promise<Job> {
  const { idempotencyKey } = order
  try {
    const job = await client.jobs.start(order.body, { idempotencyKey, owned: ownedChoice(wish) })
    file.write({ ...order, jobId: job.id })
    const { maxVideos } = job.input
    const videos = maxVideos === 1 ? '1 video' : `${maxVideos} videos`
    terminal.say(`Job ${job.id}: at most ${videos}, ${dollars(job.billing.reserved)}`)
    // That the balance lowers the limit matters where a list holds more: the end of the job says so.
    const notices = (job.notices ?? []).filter((notice) => !notice.startsWith(OF_BALANCE))
    for (const notice of notices) terminal.say(notice)
    return job
  } catch (error) {
    if (error instanceof JobInProgressError) {
      file.write({ ...order, jobId: error.jobId })
      terminal.say(`A job for these URLs runs already: following ${error.jobId}`)
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
