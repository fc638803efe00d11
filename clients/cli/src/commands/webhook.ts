/**
 * `webhook listen [URL]`: reports each job that ends as a webhook would, on standard output or to a program on this
 * machine, where no webhook of the service can reach it.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../../typescript/src/index.ts'
import { EndedJobs } from '../ended-jobs.ts'
import { type ExitCode, usageFailure } from '../failure.ts'
import { untilAnswered } from '../patience.ts'
import { jsonOf } from '../printable.ts'
import { type Command, connect, type Shell, textOption } from '../shell.ts'

/** Pause between two looks: 20 a minute are a third of the requests that a key may make. */
const LOOK_MS = 3_000
/** Longest time of an answer, in milliseconds: the service waits as long for a receiver. */
const ANSWER_MS = 15_000
const SECRET = /^whsec_([A-Za-z0-9+/]{16,}={0,2})$/
const SECRET_BYTES = 32

type Target = { url: string; secret: string }

export const webhook: Command = async (shell) => {
  const [action, address] = shell.words
  if (action !== 'listen') throw usageFailure(`webhook takes listen [URL], not "${action}"`)
  const target = address === undefined ? null : targetOf(shell, address)
  const ended = new EndedJobs(connect(shell))
  const look = (): Promise<Job[]> => untilAnswered(() => ended.look(), shell.terminal, Infinity)
  await look()
  sayReady(shell, target)
  return listen(shell, target, look)
}

function targetOf({ options }: Shell, address: string): Target {
  const url = /^https?:\/\//i.test(address) ? address : `http://${address}`
  if (!URL.canParse(url))
    throw usageFailure(`"${address}" is no address`, 'like localhost:3000/hook')
  const secret =
    textOption(options, 'secret') ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  if (!SECRET.test(secret)) throw usageFailure('--secret begins with whsec_, then base64')
  return { url, secret }
}

function sayReady({ terminal, options }: Shell, target: Target | null): void {
  if (target === null) return terminal.say('Listening; Ctrl-C ends it')
  terminal.say(`Listening; each job that ends is posted to ${target.url}; Ctrl-C ends it`)
  // The secret appears even with --json: without it the receiver cannot check the signatures.
  if (options['secret'] === undefined) terminal.warn(`Signed with ${target.secret}`)
}

async function listen(
  shell: Shell,
  target: Target | null,
  look: () => Promise<Job[]>,
): Promise<ExitCode> {
  for (;;) {
    await sleep(LOOK_MS)
    // A webhook's job is plain: what it is called is not part of it.
    for (const { title: _title, name: _name, note: _note, ...job } of await look()) {
      const type = `job.${job.state}`
      const body = jsonOf({ type, timestamp: job.finishedAt, data: job })
      if (target === null || shell.isJson) await shell.terminal.data(`${body}\n`)
      if (target !== null) await post(shell, target, { body, what: `${type} ${job.id}` })
    }
  }
}

/** Posts an event once: a receiver under construction gets no second try, but the next job. */
async function post(
  { terminal }: Shell,
  { url, secret }: Target,
  { body, what }: { body: string; what: string },
): Promise<void> {
  try {
    const { status, ok } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signedHeaders(secret, body) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (ok) terminal.say(`${what}: ${status}`)
    else terminal.warn(`${what}: ${status}; it would be sent again`)
  } catch (error) {
    const { message, cause } = error as { message: string; cause?: { code?: string } }
    terminal.warn(`${what}: ${url} was not reached (${cause?.code ?? message})`)
  }
}

/** Returns the headers of Standard Webhooks, signed as the service signs. */
function signedHeaders(secret: string, body: string): Record<string, string> {
  const id = randomUUID()
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
