/**
 * Checks that a receipt is what the service signed, and that it adds up. The service is trusted for nothing but its
 * published keys.
 */
import { ScriptoriumError } from './errors.ts'
import {
  bare,
  isRetiredBefore,
  type PublishedKey,
  readTrustedKeys,
  type TrustedKeys,
} from './receipt-keys.ts'
import { isReceipt } from './receipt-shape.ts'
import type { Receipt, Video } from './schema.ts'
import { fromBase64 } from './webhooks.ts'

export type ReceiptOptions = TrustedKeys & {
  /** Rows of the job, whose texts must be those of the receipt. Not checked by default. */
  videos?: readonly Pick<Video, 'index' | 'text'>[]
}

/** The receipt does not hold; `problems` gives the reasons, a sentence each. */
export class ReceiptError extends ScriptoriumError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super({ code: 'receipt_invalid', message: `The receipt is not valid: ${problems.join('; ')}` })
    this.problems = problems
  }
}

type Entry = Receipt['ledger']['entries'][number]

/**
 * Checks the signature, the sums, every ledger entry's hash and, with `videos`, the texts. Returns where
 * all of it holds; throws ReceiptError otherwise, and another ScriptoriumError where the issuer's keys cannot be
 * read, which says nothing about the receipt. Needs Ed25519 in WebCrypto: Node 20, Chrome 137,
 * Firefox 129, Safari 17 or newer.
 */
export async function verifyReceipt(receipt: Receipt, options: ReceiptOptions): Promise<void> {
  const keys = await readTrustedKeys(options)
  if (!isReceipt(receipt))
    throw new ReceiptError(['it is not a receipt, or parts of it are missing'])
  const problems = [
    ...problemsOfIssuer(receipt, options),
    ...(await problemsOfSignature(receipt, keys)),
    ...problemsOfSums(receipt),
    ...(await problemsOfEntries(receipt)),
    ...(await problemsOfTexts(receipt, options.videos ?? [])),
  ]
  if (problems.length > 0) throw new ReceiptError(problems)
}

function problemsOfIssuer(receipt: Receipt, options: ReceiptOptions): string[] {
  const isTrusted = 'keys' in options || bare(receipt.issuer) === bare(options.issuer)
  return isTrusted ? [] : [`it names ${receipt.issuer} as its issuer`]
}

async function problemsOfSignature(
  { signature, ...body }: Receipt,
  keys: readonly PublishedKey[],
): Promise<string[]> {
  const published = keys.find(({ id }) => id === signature.keyId)
  if (published === undefined) return [`the issuer publishes no key ${signature.keyId}`]
  const raw = bytesOf(published.publicKey)
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  const bytes = new TextEncoder().encode(canonical(body))
  const isSigned = await crypto.subtle.verify('Ed25519', key, bytesOf(signature.value), bytes)
  return unlessHeld([
    [isSigned, 'the signature does not match: it was changed after it was signed'],
    [
      !isRetiredBefore(published, body.finishedAt),
      `the key ${published.id} was retired before the job ended`,
    ],
  ])
}

function problemsOfSums(receipt: Receipt): string[] {
  const { transcripts, delivered, ledger } = receipt
  const [charged, reserved, released] = [receipt.charged, receipt.reserved, receipt.released].map(
    microsOf,
  ) as [bigint, bigint, bigint]
  const sum = (kind: Entry['kind'], field: 'postedMicros' | 'heldMicros'): bigint =>
    ledger.entries
      .filter((entry) => entry.kind === kind)
      .reduce((total, entry) => total + BigInt(entry[field]), 0n)
  return unlessHeld([
    [transcripts === delivered.length, 'it does not list as many videos as it counts'],
    [new Set(delivered.map(({ videoId }) => videoId)).size === transcripts, 'it lists one twice'],
    [
      charged === BigInt(transcripts) * microsOf(receipt.pricePerTranscript),
      'charged is not transcripts times price',
    ],
    [charged + released === reserved, 'charged and released are not what was reserved'],
    [sum('reserve', 'heldMicros') === reserved, 'the ledger reserved another sum'],
    [-sum('charge', 'postedMicros') === charged, 'the ledger charged another sum'],
    [-sum('release', 'heldMicros') === released, 'the ledger released another sum'],
  ])
}

async function problemsOfEntries({ accountId, jobId, ledger }: Receipt): Promise<string[]> {
  const { entries, headBefore, headAfter } = ledger
  const problems = unlessHeld([
    [entries[0]?.previousHash === headBefore, 'headBefore is not before its first entry'],
    [entries.at(-1)?.hash === headAfter, 'headAfter is not after its last entry'],
  ])
  for (const [at, entry] of entries.entries()) {
    const before = entries[at - 1]
    const isNext = before !== undefined && BigInt(entry.number) === BigInt(before.number) + 1n
    problems.push(
      ...unlessHeld([
        [(await hashOf(accountId, entry)) === entry.hash, `entry ${entry.number} was changed`],
        [entry.reference === `${entry.kind}:${jobId}`, `entry ${entry.number} is of another job`],
        [!isNext || entry.previousHash === before.hash, `entry ${entry.number} follows another`],
      ]),
    )
  }
  return problems
}

async function problemsOfTexts(
  { delivered }: Receipt,
  videos: readonly Pick<Video, 'index' | 'text'>[],
): Promise<string[]> {
  const hashes = new Map(delivered.map(({ index, textSha256 }) => [index, textSha256]))
  const problems: string[] = []
  for (const { index, text } of videos) {
    if (text !== null && (await sha256(text)) !== hashes.get(index))
      problems.push(`the text of ${index} is not the receipt's`)
  }
  return problems
}

function unlessHeld(checks: [boolean, string][]): string[] {
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]))
}

function hashOf(accountId: string, entry: Entry): Promise<string> {
  const { kind, postedMicros, heldMicros, reference, reason, createdAt, previousHash } = entry
  const fields = [previousHash, accountId, kind, postedMicros, heldMicros, reference, reason]
  return sha256(JSON.stringify([...fields, createdAt]))
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns JSON with sorted names and no blanks. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
}

/** Returns "1.25" USD as millionths. */
function microsOf(usd: string): bigint {
  const [dollars = '', decimals = ''] = usd.split('.')
  return BigInt(dollars) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
}

/** Returns the bytes of base64 whose letters were checked before. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return fromBase64(base64) ?? new Uint8Array()
}
