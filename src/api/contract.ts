/**
 * Parts of the contract that its nouns share: shapes of fields, lists and errors, in TypeBox. The schemas of all nouns
 * validate requests, type the handlers and are printed as the OpenAPI document, where one with a `title` is a component
 * of that name. Large replies are documented by them but built elsewhere.
 */
import {
  type TArray,
  type TNumberOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
  Type,
} from 'typebox'
import { formatUsd, PRICE_MICROS } from '../model/money/money.ts'
import { PROBLEMS, type ProblemCode } from '../kit/problem.ts'

export const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** Returns the schema of an object that has these fields and no others. */
export function closedObject<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false })
}

/** Returns the schema of one of these words. */
export const wordOf = <const Word extends string>(words: readonly Word[], options: object = {}) =>
  Type.Enum([...words], { type: 'string', ...options })

/** Schemas of fields that may be left out. */
export const optionalText = (options: TStringOptions) => Type.Optional(Type.String(options))
export const optionalInteger = (options: TNumberOptions) => Type.Optional(Type.Integer(options))

/** Returns the schema of an id of a row: no other text is looked for in the database. */
export const rowId = (options: TStringOptions = {}) =>
  Type.String({
    pattern: '^[\\w-]{1,64}$',
    examples: ['acc_7f8885c072e44e01957d22bab72ab33c'],
    ...options,
  })
export const Usd = Type.String({
  description: 'USD as a plain decimal number with three to six decimals',
  examples: [formatUsd(PRICE_MICROS)],
})
export const DateTime = Type.String({ format: 'date-time' })
export const AbsoluteLink = Type.String({ format: 'uri' })

export const ErrorBody = Type.Object(
  {
    error: closedObject({
      code: wordOf(Object.keys(PROBLEMS) as ProblemCode[], {
        description: 'Stable between releases',
      }),
      message: Type.String({ description: 'For people to read; may change between releases' }),
      jobId: optionalText({ description: 'Only with job_in_progress: the job to poll instead' }),
    }),
  },
  { additionalProperties: false, title: 'Error' },
)

/** Returns `offset` and `limit` of a list as fields of its query. */
export function pagingOf({ limit, limitMax }: { limit: number; limitMax: number }) {
  return {
    offset: optionalInteger({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'How many items to skip',
    }),
    limit: optionalInteger({
      minimum: 1,
      maximum: limitMax,
      default: limit,
      description: 'Page length',
    }),
  }
}

/** Returns the fields of a page whose items stand under `name`. */
export function pageOf<Name extends string, T extends TSchema>(name: Name, item: T) {
  return {
    total: Type.Integer(),
    offset: Type.Integer(),
    limit: Type.Integer(),
    nextOffset: nullable(Type.Integer({ description: 'Null on the last page' })),
    ...({ [name]: Type.Array(item) } as Record<Name, TArray<T>>),
  }
}

/** Returns the schema of a page, as the component `title`. */
export function listOf<Name extends string, T extends TSchema>(title: string, name: Name, item: T) {
  return Type.Object(pageOf(name, item), { title })
}

/**
 * Returns the schema of a reply that is sent as a ready-made buffer: the schema documents it and tests compare with it.
 */
export function readyMade<T extends TSchema>(schema: T) {
  return Type.Unsafe<Buffer>(schema)
}

/** Returns the schema as that of an answer, with the sentence that says what this answer means. */
export function answer<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description }
}

/** An answer of errors in the OpenAPI document: `x-codes` are those it may have. */
type ErrorAnswer = TSchema & { description: string; 'x-codes': ProblemCode[] }

/** Problems that every route with a key can answer. */
const COMMON_PROBLEMS = [
  'invalid_request',
  'unauthorized',
  'rate_limited',
  'internal_error',
  'server_busy',
] as const

/** Returns the answers of the given problems, those that every route with a key can have included. */
export function problems(...codes: ProblemCode[]): Record<string, ErrorAnswer> {
  const all = [...COMMON_PROBLEMS, ...codes]
  const byStatus = Object.groupBy(all, (code) => PROBLEMS[code].status)
  const answers = Object.entries(byStatus).map(([status, listed]) => [status, errorAnswer(listed)])
  return Object.fromEntries(answers) as Record<string, ErrorAnswer>
}

/** Returns an answer with an Error of one of these codes; without a sentence, the codes' own. */
export function errorAnswer(
  codes: ProblemCode[],
  description = codes.map((code) => PROBLEMS[code].sentence).join(' Or: '),
): ErrorAnswer {
  return { ...ErrorBody, description, 'x-codes': codes }
}

/** Answers of routes that take a body, beside the usual ones. */
export const BODY_PROBLEMS: Record<string, ErrorAnswer> = {
  408: errorAnswer(['invalid_request'], 'The body took too long to arrive.'),
  413: errorAnswer(['invalid_request'], 'The body is larger than 64 KB; send fewer lines.'),
  415: errorAnswer(['invalid_request'], 'The Content-Type is not application/json.'),
}
