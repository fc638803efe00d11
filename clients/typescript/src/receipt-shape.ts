/** Whether a value is a receipt at all; a receipt may come from anybody. */
import type { Receipt } from './schema.ts'

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const like =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const listOf =
  (isOne: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isOne)
const fields =
  (checks: Record<string, Check>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([name, holds]) => holds((value as Record<string, unknown>)[name]))

const usd = like(/^\d{1,12}(?:\.\d{1,6})?$/)
const whole = like(/^-?\d{1,18}$/)

const entry = fields({
  number: like(/^\d{1,18}$/),
  kind: text,
  postedMicros: whole,
  heldMicros: whole,
  reference: text,
  reason: (value) => value === null || text(value),
  createdAt: text,
  previousHash: text,
  hash: text,
})

const receipt = fields({
  type: (value) => value === 'scriptorium-receipt-1',
  issuer: text,
  jobId: text,
  accountId: text,
  finishedAt: isTime,
  delivered: listOf(fields({ index: count, videoId: text, textSha256: text })),
  transcripts: count,
  pricePerTranscript: usd,
  reserved: usd,
  charged: usd,
  released: usd,
  ledger: fields({ headBefore: text, headAfter: text, entries: listOf(entry) }),
  signature: fields({
    algorithm: (value) => value === 'Ed25519',
    keyId: text,
    value: like(/^[A-Za-z0-9+/]{86}==$/),
  }),
})

/** Returns whether every field that is checked is there and can be calculated with. */
export function isReceipt(value: unknown): value is Receipt {
  return receipt(value)
}

/** Returns whether a value is an instant as the service writes it, and one that exists in the calendar. */
export function isTime(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[1-9]\d{3}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(value))
    return false
  const atMs = Date.parse(value)
  return atMs > 0 && new Date(atMs).toISOString() === value
}
