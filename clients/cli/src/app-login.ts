/**
 * Sign-in by a code that is typed on the website (OAuth 2.0 device flow, RFC 8628), and the tokens that it gives: one
 * for an hour, and one to get the next.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { UnauthorizedError } from '../../typescript/src/index.ts'
import { EXIT, Failure } from './failure.ts'
import { readLogin, type SavedLogin, saveLogin } from './settings.ts'

const CLIENT_ID = 'scriptorium-cli'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const SLOWER_SECONDS = 5
/** Longest pause, in seconds: it doubles up to this while the service cannot be reached. */
const PAUSE_SECONDS_MAX = 30
const ANSWER_MS = 20_000
/**
 * A token is replaced this long before it ends, in milliseconds: more than the clocks of common machines drift apart
 * within a run.
 */
const MARGIN_MS = 60_000

export type DeviceCode = {
  device: string
  user: string
  page: string
  seconds: number
  interval: number
}
type Answer = { status: number; body: Record<string, unknown> }

/** Returns null where the service has no such sign-in. */
export async function beginLogin(server: string): Promise<DeviceCode | null> {
  const { status, body } = await send(server, '/oauth/device_authorization', {})
  if (status === 404) return null
  if (status !== 200) throw refused(body)
  return {
    device: String(body['device_code']),
    user: String(body['user_code']),
    page: String(body['verification_uri']),
    seconds: Number(body['expires_in']),
    interval: Number(body['interval'] ?? SLOWER_SECONDS),
  }
}

/**
 * Asks until the user has decided or the code has expired. A lost connection ends nothing, since the code may be typed
 * meanwhile. `onLost` is called at the first loss.
 */
export async function awaitLogin(
  server: string,
  { device, seconds, interval }: DeviceCode,
  onLost: () => void,
): Promise<SavedLogin> {
  const endsAt = performance.now() + seconds * 1000
  let told = false
  for (let pace = interval, pause = pace; performance.now() < endsAt;) {
    await sleep(pause * 1000)
    const form = { grant_type: DEVICE_GRANT, device_code: device }
    const answer = await send(server, '/oauth/token', form).catch(() => null)
    if (answer?.status === 200) return loginOf(answer.body)
    if (answer === null || isPassing(answer)) {
      if (!told) onLost()
      told = true
      pause = Math.min(pause * 2, PAUSE_SECONDS_MAX)
      continue
    }
    const { error } = answer.body
    if (error === 'slow_down') pace += SLOWER_SECONDS
    else if (error !== 'authorization_pending') throw refused(answer.body)
    pause = pace
  }
  throw refused({ error_description: 'The code was not entered in time.' })
}

/** Returns whether to ask again: there were too many requests, or a service or proxy is busy, starting or broken. */
function isPassing({ status }: Answer): boolean {
  return status === 408 || status === 429 || status >= 500
}

/**
 * Returns the function that gives each request its key from the file. Other runs of the program renew it too. A run
 * that comes second within moments is given tokens as well. Errors thrown here reach the client library, which tries
 * again unless they are refusals.
 */
export function savedKey(
  configFile: string,
  server: string,
): (refused: string | null) => Promise<string> {
  return async (refusedKey) => {
    const saved = readLogin(configFile, server)
    if (saved === null)
      throw new UnauthorizedError({ code: 'unauthorized', message: 'Nobody is signed in.' })
    if (saved.access !== refusedKey && Date.now() < saved.endsAt - MARGIN_MS) return saved.access
    const { status, body } = await send(server, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: saved.refresh,
    })
    if (status === 400)
      throw new UnauthorizedError({ code: 'unauthorized', message: 'The sign-in has ended.' })
    if (status !== 200) throw new Error(`the service answered ${status} where tokens are renewed`)
    const login = loginOf(body)
    saveLogin(configFile, server, login)
    return login.access
  }
}

/**
 * Ends the sign-in at the service too. Returns false where the service cannot be reached, so that signing out goes on.
 */
export async function endLogin(server: string, { refresh }: SavedLogin): Promise<boolean> {
  const { status } = await send(server, '/oauth/revoke', { token: refresh }).catch(() => ({
    status: 0,
  }))
  return status === 200
}

async function send(server: string, path: string, form: Record<string, string>): Promise<Answer> {
  const response = await fetch(server + path, {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT_ID, ...form }),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => {
    throw new Failure(`${server} cannot be reached`, { exit: EXIT.busy, code: 'connection_lost' })
  })
  const body: unknown = await response.json().catch(() => null)
  return { status: response.status, body: (body ?? {}) as Record<string, unknown> }
}

function loginOf(body: Record<string, unknown>): SavedLogin {
  return {
    access: String(body['access_token']),
    refresh: String(body['refresh_token']),
    endsAt: Date.now() + Number(body['expires_in']) * 1000,
  }
}

function refused(body: Record<string, unknown>): Failure {
  const reason = body['error_description'] ?? 'the service refused it'
  return new Failure(`not signed in: ${String(reason)}`, { exit: EXIT.login, code: 'unauthorized' })
}
