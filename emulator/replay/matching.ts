/** Finds the recorded reply of a request: of the very same one, else of the one that differs least. */
import type { Asked, Broken, Exchange, Replied } from './recording.ts'

export type Matching = (asked: Asked) => Replied | Broken | null

/** The replies of equal requests, and how many were served. */
type Equal = { replies: (Replied | Broken)[]; served: number }

/** Parameters of a caption address that say which words it leads to; the others sign it. */
const OF_WORDS = ['v', 'lang', 'kind', 'name', 'variant', 'fmt', 'tlang']

/**
 * Returns a function that finds replies in the order recorded; the last one is repeated. A request that came on a route
 * is answered with what was recorded on it. Without one, the routes are one after the other.
 */
export function matchingOf(exchanges: readonly Exchange[]): Matching {
  const versions = new Set(exchanges.map(({ asked }) => versionOf(asked)))
  const indexes = FORMS.map(() => new Map<string, Equal>())
  const byRoute = exchanges.toSorted((one, other) => compare(one.asked.route, other.asked.route))
  for (const { asked, reply } of byRoute) {
    for (const [form, keyFor] of FORMS.entries())
      for (const route of new Set([asked.route, null]))
        add(indexes[form], routeKey(route, keyFor(asked)), reply)
  }
  return (asked) => {
    // The provider of tokens is asked on no route.
    const route = isForToken(asked) ? null : asked.route
    for (const [form, keyFor] of FORMS.entries()) {
      // A client that is newer than the recording is answered as the one of then.
      if (keyFor === ofAnyVersion && versions.has(versionOf(asked))) continue
      const equal = indexes[form]?.get(routeKey(route, keyFor(asked)))
      if (equal !== undefined) return next(equal)
    }
    return null
  }
}

type Form = (asked: Asked) => string

const ofAnyVersion: Form = (asked) => keyOf(asked, asked.client.name)

/** What equal requests have in common, from all that tells requests apart to what they ask about. */
const FORMS: readonly Form[] = [
  (asked) => keyOf(asked, versionOf(asked), maskOf(asked), asked.visitor),
  (asked) => keyOf(asked, versionOf(asked), maskOf(asked)),
  (asked) => keyOf(asked, versionOf(asked)),
  ofAnyVersion,
  wordsKey,
]

function routeKey(route: string | null, key: string): string {
  return `${route ?? ''} ${key}`
}

function isForToken({ path }: Asked): boolean {
  return path.endsWith('/get_pot')
}

function add(index: Map<string, Equal> | undefined, key: string, reply: Replied | Broken): void {
  const equal = index?.get(key)
  if (equal === undefined) index?.set(key, { replies: [reply], served: 0 })
  else equal.replies.push(reply)
}

function next(equal: Equal): Replied | Broken | null {
  const { replies, served } = equal
  equal.served += 1
  return replies[Math.min(served, replies.length - 1)] ?? null
}

function compare(one: string | null, other: string | null): number {
  return (one ?? '').localeCompare(other ?? '', 'en', { numeric: true })
}

function keyOf(asked: Asked, ...further: string[]): string {
  const query = [...asked.query].filter(([name]) => name !== '$fields')
  const sorted = query.map(([name, value]) => `${name}=${value}`).sort()
  const path = isForToken(asked) ? '/get_pot' : asked.path
  return JSON.stringify([asked.method, path, sorted, subjectOf(asked), ...further])
}

/** Returns what the body asks about. */
export function subjectOf({ body }: Asked): string[] {
  const { videoId, browseId, params, continuation, url, content_binding: bound } = body
  return [
    ...[videoId, browseId, bound].map(stringOf),
    ...[params, continuation].map((value) => decoded(stringOf(value))),
    handleOf(stringOf(url)),
  ]
}

/** Returns the path of a channel's address, as it is asked for in several spellings. */
export function handleOf(url: string): string {
  if (url === '' || !URL.canParse(url, 'https://www.youtube.com')) return url
  return decoded(new URL(url, 'https://www.youtube.com').pathname).replace(/\/$/, '').toLowerCase()
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function versionOf({ client }: Asked): string {
  return `${client.name} ${client.version}`
}

function maskOf({ query }: Asked): string {
  return query.get('$fields') ?? ''
}

/** Returns which words are asked for, whoever signed their address; other requests are told apart as ever. */
function wordsKey(asked: Asked): string {
  if (asked.path !== '/api/timedtext') return keyOf(asked, versionOf(asked), maskOf(asked))
  return JSON.stringify(OF_WORDS.map((name) => asked.query.get(name)))
}
