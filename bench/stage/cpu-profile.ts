/**
 * Reads a CPU profile: which part of the product the time went to. A sample counts for the nearest
 * function on its stack that belongs to a part, so that a library's time is its caller's.
 */

export type CpuProfile = {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  /** Microseconds between samples. */
  timeDeltas: number[]
}

type Frame = CpuProfile['nodes'][number]['callFrame']

/** Each part and a pattern of its frames, which are written `file.ts function`; the first part that fits counts. */
export type Parts = readonly (readonly [string, RegExp])[]

export type Shares = { busyMs: number; byPart: Record<string, number>; top: TopFunction[] }
export type TopFunction = { name: string; part: string; ms: number }

const TOP_MAX = 40
const OTHER = 'Node and V8'
const COLLECTION = 'garbage collection'
/** Frames that are not the product's time: waiting, and the profiler's own start. */
const IDLE = new Set(['(idle)', '(root)'])
const PROFILER = 'node:inspector'

/** Returns milliseconds by part, the time the process was busy, and the functions with the most own time. */
export function readProfile({ nodes, samples, timeDeltas }: CpuProfile, parts: Parts): Shares {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const known = new Map<number, string>()

  const partOf = (id: number): string => {
    const found = known.get(id)
    if (found !== undefined) return found
    const frame = frames.get(id)
    const parent = parents.get(id)
    const own = frame === undefined ? undefined : ownPart(frame, parts)
    const part = own ?? (parent === undefined ? OTHER : partOf(parent))
    known.set(id, part)
    return part
  }

  const byPart: Record<string, number> = {}
  const byFunction = new Map<string, TopFunction>()
  let busyMs = 0
  for (const [at, id] of samples.entries()) {
    const frame = frames.get(id)
    if (frame === undefined || IDLE.has(frame.functionName) || frame.url === PROFILER) continue
    const ms = (timeDeltas[at] ?? 0) / 1000
    busyMs += ms
    const part = partOf(id)
    byPart[part] = (byPart[part] ?? 0) + ms
    const name = nameOf(frame)
    const before = byFunction.get(`${part} ${name}`) ?? { name, part, ms: 0 }
    byFunction.set(`${part} ${name}`, { ...before, ms: before.ms + ms })
  }
  const top = [...byFunction.values()].sort((a, b) => b.ms - a.ms)
  return { busyMs, byPart, top: top.slice(0, TOP_MAX) }
}

function ownPart(frame: Frame, parts: Parts): string | undefined {
  if (frame.functionName === '(garbage collector)') return COLLECTION
  const name = `${frame.url} ${frame.functionName}`
  return parts.find(([, looks]) => looks.test(name))?.[0]
}

function nameOf({ functionName, url, lineNumber }: Frame): string {
  const file = url.split('/').slice(-2).join('/')
  return file === ''
    ? functionName || '(anonymous)'
    : `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
}

/** Parts of a worker's work for a transcript. */
export const WORKER_PARTS: Parts = [
  ['compressing', /gzip-member\.ts /],
  ['rendering', /transcripts\/(transcript-forms|formats|paragraphs|transcript)\.ts /],
  [
    'parsing',
    /transcripts\/timedtext|youtube\/(json|player|reply|listing|list-item|list-page|list-part|list-order|list-date|publish-date|verdict)\.ts |transcripts\/caption-track/,
  ],
  [
    'storing',
    /src\/store\/|node_modules\/(pg|pg-protocol|pg-pool|kysely|postgres)|jobs\/(attempt|plan-rows)\.ts /,
  ],
  ['fetching', /src\/platform\/|node_modules\/undici|node:internal\/deps\/undici/],
  [
    'answering the API',
    /src\/api\/|features\/transcripts\/|jobs\/read-jobs\.ts|node_modules\/(fastify|find-my-way|light-my-request|avvio|@fastify)|node:_http_server/,
  ],
  ['metrics', /node_modules\/prom-client|src\/metrics/],
  ['planning', /src\/worker\/(plan-job|offer-videos|read-pages)|jobs\/(selection|history)\.ts/],
]

/** Parts of the API's work for a request. */
export const API_PARTS: Parts = [
  ['database client', /src\/store\/|node_modules\/(pg|pg-protocol|pg-pool|kysely|postgres)/],
  [
    'presenting',
    /src\/api\/(present|json|send)|kit\/http\/compression|features\/transcripts\/|jobs\/read-jobs/,
  ],
  [
    'validating and serialising',
    /fast-json-stringify|json-schema|typebox|kit\/http\/validation|src\/api\/contract|fast-json-stringify|ajv|node_modules\/fastify\/lib\/(validation|schema)/,
  ],
  ['authenticating', /src\/api\/auth|(features|model)\/accounts\//],
  ['fastify', /node_modules\/(fastify|find-my-way|light-my-request|avvio|@fastify)|src\/api\//],
  [
    'HTTP of Node',
    /node:_http|node:internal\/http|node:net|node:internal\/stream|node:internal\/streams/,
  ],
  ['logging', /node_modules\/(pino|sonic-boom)/],
  ['metrics', /node_modules\/prom-client|src\/metrics/],
]
