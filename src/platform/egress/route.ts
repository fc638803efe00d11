/**
 * An egress route: one configured way out to the platform, direct or through a proxy, with the pace
 * at which it may be used. `EGRESS_ROUTES` is a list of them, separated by blanks or line breaks:
 *
 *     direct
 *     http://name:password@proxy.example:8080#name=home1&ratePerMinute=20
 *     https://gateway.example:443#rotating=true&concurrency=8
 */
import { createHash } from 'node:crypto'
import type { RouteTerms } from '../../model/platform/route-budget.ts'

export type EgressRoute = RouteTerms & {
  /** The proxy without its credentials, so that it may be printed; null for a direct route. */
  proxyOrigin: string | null
  /** The value of `Proxy-Authorization`, never printed; null without credentials. */
  proxyAuthorization: string | null
  /** Whether each connection leaves by another exit; a session identity is then valid for one connection only. */
  isRotating: boolean
  /** How many videos and list pages one process asks for at a time. */
  concurrency: number
}

const ROUTES_MAX = 200
const NAME = /^[\w.:~-]{1,80}$/

/**
 * The pace that one address can keep without being noticed. By reports up to 2026-10, soft blocks begin between 100 and
 * 1000 requests an hour. A job of 500 videos takes somewhat over an hour.
 */
const PACE = {
  direct: { start: 15, floor: 2, ceiling: 20, concurrency: 2 },
  sticky: { start: 15, floor: 2, ceiling: 30, concurrency: 2 },
  rotating: { start: 120, floor: 10, ceiling: 600, concurrency: 8 },
} as const
const REST_MS = { first: 30_000, longest: 6 * 3_600_000 }

/** One direct route at a polite pace, for an installation without proxies. */
export function directRoute(): EgressRoute {
  return routeOf('direct', 1)
}

/** The route to a stand-in for the platform on this machine, where any speed is harmless. */
export function loopbackRoute(): EgressRoute {
  const rate = 600_000
  return {
    ...directRoute(),
    name: 'loopback',
    ratePerMinute: { start: rate, floor: rate / 10, ceiling: rate },
    restMs: { first: 200, longest: 2000 },
    concurrency: 64,
    learnsCaptions: false,
  }
}

/** Whether the text names this machine; only such an origin may be asked at full speed. */
export function isLoopback(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * Returns the routes in `EGRESS_ROUTES`, at least one. Throws a sentence that names the wrong entry by its position,
 * since its text may hold a password.
 */
export function readRoutes(text: string): EgressRoute[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length === 0) throw new Error('EGRESS_ROUTES names no route; "direct" is one')
  if (entries.length > ROUTES_MAX)
    throw new Error(`EGRESS_ROUTES names more than ${ROUTES_MAX} routes`)
  const routes = entries.map((entry, index) => routeOf(entry, index + 1))
  const names = routes.map((route) => route.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new Error(`EGRESS_ROUTES: two routes are named ${twice}; add #name=…`)
  return routes
}

function routeOf(entry: string, position: number): EgressRoute {
  const fault = (what: string): Error => new Error(`EGRESS_ROUTES, entry ${position}: ${what}`)
  const [address = '', fragment = ''] = entry.split('#', 2)
  const settings = new URLSearchParams(fragment)
  const known = ['name', 'rotating', 'ratePerMinute', 'concurrency', 'captionsPerDay']
  const unknown = [...settings.keys()].find((key) => !known.includes(key))
  if (unknown !== undefined) throw fault(`"${unknown}" is none of ${known.join(', ')}`)

  const proxy = address === 'direct' ? null : proxyOf(address)
  if (proxy === undefined) throw fault('neither "direct" nor http(s)://name:password@host:port')
  const isRotating = settings.get('rotating') === 'true'
  const pace = PACE[proxy === null ? 'direct' : isRotating ? 'rotating' : 'sticky']
  const rate = numberOf(settings.get('ratePerMinute'), 0.1, 600_000)
  const concurrency = numberOf(settings.get('concurrency'), 1, 256)
  const captionsPerDay = numberOf(settings.get('captionsPerDay'), 1, 1_000_000)
  const name = settings.get('name') ?? proxy?.name ?? 'direct'
  if (Number.isNaN(rate)) throw fault('ratePerMinute is no number from 0.1 to 600000')
  if (Number.isNaN(concurrency)) throw fault('concurrency is no number from 1 to 256')
  if (Number.isNaN(captionsPerDay)) throw fault('captionsPerDay is no number from 1 to 1000000')
  if (!NAME.test(name)) throw fault('a name is 1 to 80 letters, digits, "-", "_", ".", ":" or "~"')
  return {
    name,
    proxyOrigin: proxy?.origin ?? null,
    proxyAuthorization: proxy?.authorization ?? null,
    isRotating,
    concurrency: Math.floor(concurrency ?? pace.concurrency),
    ratePerMinute:
      rate === null
        ? { start: pace.start, floor: pace.floor, ceiling: pace.ceiling }
        : { start: rate, floor: Math.min(pace.floor, rate), ceiling: rate },
    restMs: REST_MS,
    blocksForgiven: isRotating ? 5 : 0,
    healedAfter: isRotating ? 1 : 50,
    captionsPerDay: captionsPerDay === null ? null : Math.floor(captionsPerDay),
    learnsCaptions: !isRotating,
  }
}

type Proxy = { origin: string; authorization: string | null; name: string }

/** Returns undefined where the address is not a proxy's. A user name distinguishes sticky sessions of one host. */
function proxyOf(address: string): Proxy | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isProxy = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isProxy || url.hostname === '' || url.pathname !== '/' || url.search !== '') return undefined
  const origin = `${url.protocol}//${url.host}`
  const port = url.port === '' ? '' : `:${url.port}`
  const name = `${url.hostname.replace(/[[\]]/g, '')}${port}`
  if (url.username === '') return { origin, authorization: null, name }
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const mark = createHash('sha256').update(user).digest('hex').slice(0, 6)
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return { origin, authorization, name: `${name}~${mark}` }
}

/** Returns null where the number is not given, NaN where it is not a number within the bounds. */
function numberOf(text: string | null, min: number, max: number): number | null {
  if (text === null) return null
  const value = Number(text)
  return text.trim() !== '' && value >= min && value <= max ? value : Number.NaN
}
