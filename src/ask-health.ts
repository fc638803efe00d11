/**
 * `health [--ready]`: asks the service of this machine (mostly of this container) how it is, at the address that its
 * role and settings give it. For health checks that run a command.
 */
import http from 'node:http'
import { isIPv6 } from 'node:net'
import type { Config } from './config/config.ts'
import { ConfigError } from './kit/settings.ts'

/** The deadline, below the timeout of the image's health check. */
const HEALTH_ASK_MS = 4_000

const EVERYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns 0 where the service answers that all is well; else 1, with one sentence to `tell`. */
export async function askHealth(
  config: Config,
  words: string[],
  tell: (sentence: string) => void,
): Promise<number> {
  const [option, ...more] = words
  if ((option !== undefined && option !== '--ready') || more.length > 0)
    throw new ConfigError('usage: health [--ready]')
  const url = `${healthAddress(config)}${option === undefined ? '/healthz' : '/readyz'}`
  try {
    const { status, text } = await get(url)
    if (status === 200) return 0
    tell(`${url} answers ${status}: ${text}`)
  } catch (error) {
    tell(`${url} does not answer: ${error instanceof Error ? error.message : String(error)}`)
  }
  return 1
}

/** Returns the address at which a process with this environment answers health checks; throws where it answers none. */
function healthAddress({ ROLES, HOST, PORT, HEALTH_PORT }: Config): string {
  const name = ROLES.has('api') ? 'PORT' : 'HEALTH_PORT'
  const port = ROLES.has('api') ? PORT : HEALTH_PORT
  if (port === 0)
    throw new ConfigError(
      `${name} is 0, so nobody knows where to ask a process with ROLES=${[...ROLES].join(',')}; set it to a port`,
    )
  const host = EVERYWHERE[HOST] ?? HOST
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

function get(url: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { timeout: HEALTH_ASK_MS }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('it took too long')))
    request.on('error', reject)
  })
}
