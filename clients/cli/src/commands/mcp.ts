/**
 * `mcp`: for agents that start a program and talk to it in lines of JSON. Each message goes on to the service's /mcp,
 * which has the tools; each answer comes back as a line.
 */
import { createInterface } from 'node:readline'
import { sleep } from '../../../typescript/src/retry.ts'
import { Transport } from '../../../typescript/src/transport.ts'
import { EXIT } from '../failure.ts'
import { safeJson } from '../printable.ts'
import {
  describeLoss,
  failedAnswer,
  headersOf,
  isRpcAnswer,
  readMessage,
  type Rpc,
} from '../rpc.ts'
import { access, type Command, type Shell } from '../shell.ts'

/** Longest time of an answer, in milliseconds: above the 45 s that a tool may wait. */
const TIMEOUT_MS = 60_000
const RETRIES_MAX = 5
const BACKOFF_MS = 1_000
/** Longest wait in seconds. After a longer `Retry-After` the agent gets an error, since it may have other work. */
const PATIENCE_SECONDS_MAX = 15

export const mcp: Command = async (shell) => {
  const link = openLink(shell)
  const underWay = new Set<Promise<void>>()
  for await (const line of createInterface({ input: shell.stdin })) {
    if (line.trim() === '') continue
    const handled = link.take(line).finally(() => underWay.delete(handled))
    underWay.add(handled)
  }
  await Promise.all(underWay)
  return EXIT.ok
}

type Link = { take(line: string): Promise<void> }

function openLink(shell: Pick<Shell, 'settings' | 'places' | 'terminal'>): Link {
  const { terminal } = shell
  const transport = new Transport(access(shell))
  const inFlight = new Map<unknown, AbortController>()
  /** Protocol version from `initialize`, in earlier eras of the protocol; later eras name it in each message. */
  let agreed: string | null = null
  const write = (answer: string): Promise<void> => terminal.data(`${safeJson(answer)}\n`)

  async function forward(message: Rpc): Promise<void> {
    const cut = new AbortController()
    if (message.id !== undefined) inFlight.set(message.id, cut)
    try {
      const answer = await post(transport, message, { agreed, cut: cut.signal })
      if (answer === null || cut.signal.aborted) return
      if (message.method === 'initialize') agreed = agreedIn(answer) ?? agreed
      await write(answer)
    } catch (error) {
      if (cut.signal.aborted || message.id === undefined) return
      await write(failedAnswer(message, describeLoss(error)))
    } finally {
      inFlight.delete(message.id)
    }
  }

  return {
    async take(line) {
      const message = readMessage(line)
      if (message === null)
        return write(failedAnswer({ id: null }, 'This line is not a JSON object.'))
      // Aborting the request tells the service.
      if (message.method === 'notifications/cancelled')
        return inFlight.get(message.params?.['requestId'])?.abort()
      await forward(message)
    },
  }
}

/**
 * Returns the answer as a line, or null for a notification. A message is sent again where the service has no room for
 * it now.
 */
async function post(
  transport: Transport,
  message: Rpc,
  { agreed, cut }: { agreed: string | null; cut: AbortSignal },
): Promise<string | null> {
  for (let retries = 0; ; retries += 1) {
    const response = await connected(transport, {
      method: 'POST',
      path: '/mcp',
      body: message,
      headers: headersOf(message, agreed),
      signal: AbortSignal.any([cut, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = await response.text()
    const waitSeconds = Number(response.headers.get('retry-after') ?? Infinity)
    if (
      isPassing(response.status) &&
      waitSeconds <= PATIENCE_SECONDS_MAX &&
      retries < RETRIES_MAX
    ) {
      await sleep(waitSeconds * 1000, cut)
      continue
    }
    if (message.id === undefined) return null
    return isRpcAnswer(text) ? text : failedAnswer(message, refusalIn(text, response.status))
  }
}

function isPassing(status: number): boolean {
  return status === 429 || status === 503
}

/**
 * Sends a request, and again where the connection was refused: nothing was sent then, and the service may be starting.
 */
async function connected(
  transport: Transport,
  call: Parameters<Transport['exchange']>[0],
): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await transport.exchange(call)
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      if (cause?.code !== 'ECONNREFUSED' || retries >= RETRIES_MAX) throw error
      await sleep(BACKOFF_MS, call.signal)
    }
  }
}

function agreedIn(answer: string): string | null {
  const { result } = JSON.parse(answer) as { result?: { protocolVersion?: string } }
  return result?.protocolVersion ?? null
}

/** Returns the API's own sentence, or one with the status where a proxy answered instead. */
function refusalIn(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } }
    return `${error.code}: ${error.message}`
  } catch {
    return `The service answered with HTTP ${status}.`
  }
}
