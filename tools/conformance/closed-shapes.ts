/**
 * The shapes of section 2 of the specification, written from its text and closed: a field more or less is named with
 * its path. They are held against every answer of the seven operations, in whatever state the job, the key or the order
 * is; what goes beyond the specification comes by a header, on a path of its own, or where a parameter asks for it.
 */
import assert from 'node:assert/strict'
import { Compile } from 'typebox/schema'
import type { Json, Reply } from './http.ts'

const STATES = ['queued', 'running', 'cancelling', 'finished', 'cancelled', 'failed', 'interrupted']
const FORMATS = ['text', 'srt', 'vtt', 'segments']
const TRACK_KINDS = ['manual', 'asr']
const STATUSES = [
  'success',
  'no_captions',
  'language_not_available',
  'private',
  'unavailable',
  'blocked_suspect',
  'invalid_url',
  'failed',
  'truncated',
  'skipped',
  'unchanged',
]

export type Shape = {
  type: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean | Shape
  items?: Shape
  enum?: (string | null)[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
}
type Fields = Record<string, Shape>

const text: Shape = { type: 'string' }
const whole: Shape = { type: 'integer', minimum: 0 }
const flag: Shape = { type: 'boolean' }
const instant: Shape = { type: 'string', format: 'date-time', pattern: 'Z$' }
const link: Shape = { type: 'string', pattern: '^https?://' }
const usd: Shape = { type: 'string', pattern: String.raw`^\d+\.\d{3,6}$` }
const id: Shape = { type: 'string', pattern: String.raw`^[\w-]{1,40}$` }

const oneOf = (words: readonly string[]): Shape => ({ type: 'string', enum: [...words] })
const list = (items: Shape): Shape => ({ type: 'array', items })

/** Returns the shape of an object of exactly these fields; those in `optional` may be left out. */
function closed(fields: Fields, optional: Fields = {}): Shape {
  const properties = { ...fields, ...optional }
  return { type: 'object', properties, required: Object.keys(fields), additionalProperties: false }
}

/** Returns the shape of a field that may be null. */
function orNull(shape: Shape): Shape {
  const words = shape.enum === undefined ? {} : { enum: [...shape.enum, null] }
  return { ...shape, type: [shape.type, 'null'].flat(), ...words }
}

const JOB_FIELDS: Fields = {
  id,
  state: oneOf(STATES),
  createdAt: instant,
  finishedAt: orNull(instant),
  input: closed({
    urls: list(text),
    language: text,
    formats: list(oneOf(FORMATS)),
    maxVideos: { type: 'integer', minimum: 1, maximum: 500 },
    requestedMaxVideos: { type: 'integer', minimum: 1, maximum: 500 },
    publishedAfter: orNull(text),
    publishedBefore: orNull(text),
  }),
  progress: closed({
    discovered: orNull(whole),
    processed: whole,
    delivered: whole,
    counts: { type: 'object', additionalProperties: whole },
  }),
  billing: closed({
    reserved: usd,
    settled: flag,
    charged: orNull(usd),
    chargedTranscripts: orNull(whole),
    pricePerTranscript: usd,
  }),
  error: orNull(text),
  links: closed({ self: link, results: link }),
}

/** Only in answers of POST /jobs. */
const NOTICES: Fields = { notices: list(text) }

/** Only where `view=named` asks for them, and in the answer of PATCH /jobs/{id}. */
const NAMES: Fields = { title: text, name: orNull(text), note: orNull(text) }
/** Likewise, and only of an order that asked for a kind, of a job of a batch, and of one with deleted texts. */
const WISH: Fields = {
  track: oneOf(TRACK_KINDS),
  batch: closed({ id: text, title: text, number: { type: 'integer', minimum: 1 } }),
  deletedTexts: { type: 'integer', minimum: 1 },
}

const SEGMENTS = list(closed({ startMs: whole, endMs: whole, text }))

const VIDEO_FIELDS: Fields = {
  index: { type: 'integer', minimum: 1 },
  videoId: orNull(text),
  title: orNull(text),
  url: orNull(text),
  channelName: orNull(text),
  publishedAt: orNull(text),
  status: oneOf(STATUSES),
  label: text,
  errorMessage: orNull(text),
  languageCode: orNull(text),
  trackKind: orNull(oneOf(TRACK_KINDS)),
  text: orNull(text),
  segments: orNull(SEGMENTS),
  files: closed({}, Object.fromEntries(FORMATS.map((format) => [format, link]))),
}

/** Only where `include=textRow`, and `view=located`, ask for it. */
const TEXT_ROW = orNull(closed({ jobId: id, index: { type: 'integer', minimum: 1 } }))

const PAGE: Fields = {
  total: whole,
  offset: whole,
  limit: { type: 'integer', minimum: 1 },
  nextOffset: orNull(whole),
}

const RESULTS_FIELDS: Fields = {
  id,
  state: oneOf(STATES),
  complete: flag,
  ...PAGE,
  videos: list(closed(VIDEO_FIELDS)),
  downloads: closed({ zip: link, allText: link, reportCsv: link }),
}

export const RESULTS = closed(RESULTS_FIELDS)
const resultsWith = (field: string): Shape =>
  closed({ ...RESULTS_FIELDS, videos: list(closed({ ...VIDEO_FIELDS, [field]: TEXT_ROW })) })

const BALANCE = closed({
  balance: usd,
  balanceMicros: whole,
  currency: oneOf(['USD']),
  pricePerTranscript: usd,
  affordableTranscripts: whole,
})

export const JOB = closed(JOB_FIELDS)
const JOB_LIST = closed({ ...PAGE, jobs: list(JOB) })
export const STARTED_JOB = closed({ ...JOB_FIELDS, ...NOTICES })
const NAMED_JOB = closed({ ...JOB_FIELDS, ...NAMES }, WISH)
const NAMED_LIST = closed({ ...PAGE, jobs: list(NAMED_JOB) })
const NAMED_STARTED_JOB = closed({ ...JOB_FIELDS, ...NOTICES, ...NAMES }, WISH)

const ERROR_FIELDS: Fields = { code: text, message: { type: 'string', pattern: String.raw`\S` } }
const ERROR = closed({ error: closed(ERROR_FIELDS) })
const JOB_IN_PROGRESS = closed({ error: closed({ ...ERROR_FIELDS, jobId: id }) })

/** The description of the service; OpenAPI says what is in it. */
const DOCUMENT: Shape = {
  type: 'object',
  properties: { openapi: { type: 'string', pattern: String.raw`^3\.1\.` } },
  required: ['openapi'],
}

type More = { query: string; shape: Shape }

type Operation = {
  statuses: readonly number[]
  shape: Shape
  /** Shapes with the parameters that add fields. */
  more?: readonly More[]
}

const named = (shape: Shape): More[] => [{ query: 'view=named', shape }]

const OK = [200]

/** The seven operations. */
export const SPECIFIED: Readonly<Record<string, Operation>> = {
  'POST /jobs': { statuses: [200, 201], shape: STARTED_JOB, more: named(NAMED_STARTED_JOB) },
  'GET /jobs': { statuses: OK, shape: JOB_LIST, more: named(NAMED_LIST) },
  'GET /jobs/{id}': { statuses: OK, shape: JOB, more: named(NAMED_JOB) },
  'GET /jobs/{id}/results': {
    statuses: OK,
    shape: RESULTS,
    more: [
      { query: 'include=textRow', shape: resultsWith('textRow') },
      { query: 'view=located', shape: resultsWith('owned') },
    ],
  },
  // The files of segments alone are JSON, and a part of one is no whole value.
  'GET /jobs/{id}/files/{file}': { statuses: [200, 206], shape: SEGMENTS },
  'GET /balance': { statuses: OK, shape: BALANCE },
  'GET /openapi.json': { statuses: OK, shape: DOCUMENT },
}

/** Operations beyond the specification that answer a Job. */
const OF_JOBS: typeof SPECIFIED = {
  'POST /jobs/{id}/cancel': { statuses: [200, 202], shape: JOB },
  'PATCH /jobs/{id}': { statuses: OK, shape: NAMED_JOB },
}

const OPERATIONS = Object.entries({ ...SPECIFIED, ...OF_JOBS }).map(([name, operation]) => {
  const form = name.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', String.raw`\.`)
  return { name, form: new RegExp(`^${form}$`), ...operation }
})

/**
 * Throws where an answer is not of its shape, and names what is wrong. `path` is relative to the base, or a whole
 * address; what other operations answer is looked at only where it is an error.
 */
export function assertClosed(method: string, path: string, reply: Reply): void {
  const { pathname, searchParams } = new URL(path, 'http://base/')
  const address = path.startsWith('http') ? /^\/api\/v1(\/.*)$/.exec(pathname)?.[1] : pathname
  if (address === undefined || method === 'HEAD' || !isWholeJson(reply)) return
  const what = `${method} ${path} answered ${reply.status}`
  if (reply.status >= 400) return assertShape(errorShape(reply.body), reply.body, what)
  const found = OPERATIONS.find(({ form }) => form.test(`${method} ${address}`))
  if (found === undefined) return
  const { statuses, shape, more = [] } = found
  assert.ok(statuses.includes(reply.status), what)
  const asked = more.find(({ query }) => {
    const [parameter = '', word] = query.split('=')
    return searchParams.get(parameter) === word
  })
  assertShape(asked?.shape ?? shape, reply.body, what)
}

function isWholeJson({ status, headers }: Reply): boolean {
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  return isJson && status !== 206 && status !== 304 && !headers.has('content-encoding')
}

/** Only `job_in_progress` names a job. */
function errorShape(body: Json): Shape {
  return body['error']?.code === 'job_in_progress' ? JOB_IN_PROGRESS : ERROR
}

/** Throws where a value is not of its shape, and names what is wrong by its path. */
export function assertShape(shape: Shape, value: unknown, what: string): void {
  const checker = checkerOf(shape)
  if (!checker.Check(value)) assert.fail(`${what}: ${faultsOf(checker.Errors(value)[1])}`)
}

const checkers = new Map<Shape, ReturnType<typeof Compile>>()

function checkerOf(shape: Shape): ReturnType<typeof Compile> {
  const checker = checkers.get(shape) ?? Compile(shape as object)
  checkers.set(shape, checker)
  return checker
}

type Fault = { keyword: string; instancePath: string; message: string; params: object }

/** Returns what is wrong in words: `billing/tax is not in the specification`. */
function faultsOf(faults: readonly Fault[]): string {
  const told = faults.flatMap(({ keyword, instancePath, message, params }) => {
    const at = instancePath.slice(1)
    if (keyword === 'boolean') return [`${at} is not in the specification`]
    if (keyword === 'additionalProperties') return [] // each of them has a fault of its own
    const { requiredProperties = [] } = params as { requiredProperties?: string[] }
    const missing = requiredProperties.map(
      (name) => `${at === '' ? '' : `${at}/`}${name} is missing`,
    )
    return missing.length > 0 ? missing : [`${at} ${message}`]
  })
  return told.join('; ')
}
