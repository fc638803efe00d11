/**
 * `npm run verify-receipt -- FILE [--keys FILE|URL] [--statement FILE.csv] [--results FILE.json]`:
 * checks a receipt without trusting the service that made it. Uses nothing of `src/`, so that it can
 * be read, copied and run elsewhere: Node 24 is all it needs. Exit code 0 only if everything holds.
 *
 * Checked: the signature over the canonical JSON; the sums; the hash of every ledger entry in it and
 * how they link. With the account's statement (CSV) the whole chain is re-added from its first entry
 * and must hold the receipt's entries. With results pages (JSON) the texts must have the hashes.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

type Entry = {
  number: string
  kind: string
  postedMicros: string
  heldMicros: string
  reference: string
  reason: string | null
  createdAt: string
  previousHash: string
  hash: string
}

type PublishedKey = { id: string; publicKey: string; retiredAt?: string | null }
type Receipt = {
  type: string
  issuer: string
  jobId: string
  finishedAt: string
  accountId: string
  delivered: { index: number; videoId: string; textSha256: string }[]
  transcripts: number
  pricePerTranscript: string
  reserved: string
  charged: string
  released: string
  ledger: { headBefore: string; headAfter: string; entries: Entry[] }
  signature: { algorithm: string; keyId: string; value: string }
}

const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex') // RFC 8410, before the 32 raw bytes
const CHAIN_START = '0'.repeat(64)
const FETCH_MS = 20_000

const { file, options } = readArguments()
const problems: string[] = []
const check = (holds: boolean, problem: string): void => {
  if (!holds) problems.push(problem)
}

try {
  const receipt = JSON.parse(readFileSync(file, 'utf8')) as Receipt
  check(
    receipt.type === 'scriptorium-receipt-1',
    `it is a ${receipt.type}, not a scriptorium-receipt-1`,
  )
  const keysFrom = options.keys ?? `${receipt.issuer}/.well-known/scriptorium-keys.json`
  checkSignature(receipt, await readKeys(keysFrom))
  checkSums(receipt)
  checkEntries(receipt)
  const { statement, results } = options
  if (statement !== undefined) checkStatement(receipt, readFileSync(statement, 'utf8'))
  if (results !== undefined) checkTexts(receipt, JSON.parse(readFileSync(results, 'utf8')))
  for (const problem of problems) console.error(`receipt: ${problem}`)
  if (problems.length === 0) {
    console.log(
      `Receipt verified: job ${receipt.jobId} delivered ${receipt.transcripts} transcripts for ` +
        `${receipt.charged} USD, signed by key ${receipt.signature.keyId} of ${keysFrom}`,
    )
  }
} catch (error) {
  problems.push(String(error))
  console.error(
    `receipt: it cannot be checked: ${error instanceof Error ? error.message : String(error)}`,
  )
}
process.exit(problems.length === 0 ? 0 : 1)

function checkSignature(receipt: Receipt, keys: PublishedKey[]): void {
  const { signature, ...body } = receipt
  const key = keys.find(({ id }) => id === signature.keyId)
  if (key === undefined) return void problems.push(`the issuer publishes no key ${signature.keyId}`)
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(key.publicKey, 'base64')])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const value = Buffer.from(signature.value, 'base64')
  const isSigned = verify(null, Buffer.from(canonical(body)), publicKey, value)
  check(isSigned, 'the signature does not match: the receipt was changed after it was signed')
  // A thief of a retired key can sign nothing newer with it; a minute is left for the change.
  const isOld = Date.parse(receipt.finishedAt) <= Date.parse(key.retiredAt ?? '9999') + 60_000
  check(isOld, `the key ${key.id} was retired before the job ended`)
}

function checkSums(receipt: Receipt): void {
  const { transcripts, delivered, ledger } = receipt
  const charged = micros(receipt.charged)
  const sum = (kind: string, field: 'postedMicros' | 'heldMicros'): bigint =>
    ledger.entries
      .filter((entry) => entry.kind === kind)
      .reduce((total, entry) => total + BigInt(entry[field]), 0n)
  check(
    transcripts === delivered.length,
    `${transcripts} transcripts, but ${delivered.length} are listed`,
  )
  check(
    new Set(delivered.map(({ videoId }) => videoId)).size === delivered.length,
    'a video is listed twice',
  )
  check(
    charged === BigInt(transcripts) * micros(receipt.pricePerTranscript),
    'charged is not transcripts times price',
  )
  check(
    charged + micros(receipt.released) === micros(receipt.reserved),
    'charged and released are not what was reserved',
  )
  check(
    sum('reserve', 'heldMicros') === micros(receipt.reserved),
    'the ledger reserved another sum',
  )
  check(-sum('charge', 'postedMicros') === charged, 'the ledger charged another sum')
  check(
    -sum('release', 'heldMicros') === micros(receipt.released),
    'the ledger released another sum',
  )
}

function checkEntries({ accountId, ledger, jobId }: Receipt): void {
  const { entries } = ledger
  check(
    entries[0]?.previousHash === ledger.headBefore,
    'headBefore is not the head before its first entry',
  )
  check(entries.at(-1)?.hash === ledger.headAfter, 'headAfter is not the head after its last entry')
  entries.forEach((entry, index) => {
    check(
      hashOf(accountId, entry) === entry.hash,
      `entry ${entry.number} does not have the hash of its content`,
    )
    check(
      entry.reference === `${entry.kind}:${jobId}`,
      `entry ${entry.number} is of ${entry.reference}`,
    )
    const before = entries[index - 1]
    if (before === undefined || BigInt(entry.number) !== BigInt(before.number) + 1n) return
    check(
      entry.previousHash === before.hash,
      `entry ${entry.number} does not follow entry ${before.number}`,
    )
  })
}

/** Re-adds the account's entries from its first; the statement is newest first. */
function checkStatement({ accountId, ledger }: Receipt, csv: string): void {
  const entries = readStatement(csv)
  let head = CHAIN_START
  let posted = 0n
  let held = 0n
  entries.forEach((entry, index) => {
    check(
      entry.accountId === accountId,
      `statement: entry ${entry.number} is of account ${entry.accountId}`,
    )
    check(entry.number === String(index + 1), `statement: entry ${index + 1} is missing`)
    check(
      entry.previousHash === head,
      `statement: entry ${entry.number} does not follow the one before`,
    )
    check(hashOf(accountId, entry) === entry.hash, `statement: entry ${entry.number} was changed`)
    head = entry.hash
    posted += BigInt(entry.postedMicros)
    held += BigInt(entry.heldMicros)
    check(
      held >= 0n && posted >= held,
      `statement: the balance is below zero after entry ${entry.number}`,
    )
    check(
      entry.balanceMicros === posted - held,
      `statement: the balance after entry ${entry.number} does not add up`,
    )
  })
  for (const entry of ledger.entries) {
    check(
      entries[Number(entry.number) - 1]?.hash === entry.hash,
      `statement: entry ${entry.number} is not the receipt's`,
    )
  }
}

function checkTexts(
  { delivered }: Receipt,
  results: { videos?: { index: number; text: string | null }[] },
): void {
  const hashes = new Map(delivered.map(({ index, textSha256 }) => [index, textSha256]))
  for (const { index, text } of results.videos ?? []) {
    if (text === null) continue
    check(
      createHash('sha256').update(text).digest('hex') === hashes.get(index),
      `results: the text of ${index} is not the receipt's`,
    )
  }
}

function hashOf(accountId: string, entry: Entry): string {
  const { kind, postedMicros, heldMicros, reference, reason, createdAt, previousHash } = entry
  const text = JSON.stringify([
    previousHash,
    accountId,
    kind,
    postedMicros,
    heldMicros,
    reference,
    reason,
    createdAt,
  ])
  return createHash('sha256').update(text).digest('hex')
}

/** Returns JSON with sorted names and no blanks. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
}

/** Returns "1.25" USD as micros, without its sign. */
function micros(usd: string): bigint {
  const [dollars = '', decimals = ''] = usd.replace('-', '').split('.')
  const size = BigInt(dollars) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
  return usd.startsWith('-') ? -size : size
}

type StatementEntry = Entry & { accountId: string; balanceMicros: bigint }

/**
 * Returns the entries of the statement's CSV, oldest first. A `'` that guards a cell from spreadsheets is taken off.
 */
function readStatement(csv: string): StatementEntry[] {
  const rows = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)]
  const lines: string[][] = [[]]
  for (const [whole, quoted, plain = '', end] of rows) {
    if (whole === '') break
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') lines.push([])
  }
  const [names = [], ...data] = lines.filter((line) => line.length > 1)
  return data
    .map((cells) => {
      const cell = (name: string): string => cells[names.indexOf(name)] ?? ''
      const reason = cell('reason') === '' ? null : cell('reason').replace(/^'/, '')
      return {
        number: cell('number'),
        kind: cell('kind'),
        postedMicros: cell('postedMicros'),
        heldMicros: cell('heldMicros'),
        reference: cell('reference'),
        reason,
        createdAt: cell('createdAt'),
        previousHash: cell('previousHash'),
        hash: cell('hash'),
        accountId: cell('accountId'),
        balanceMicros: micros(cell('balanceUsd')),
      }
    })
    .reverse()
}

async function readKeys(from: string): Promise<PublishedKey[]> {
  const text = /^https?:/.test(from)
    ? await fetch(from, { signal: AbortSignal.timeout(FETCH_MS) }).then(
        (reply) => reply.text(),
        (cause: Error) => {
          throw new Error(
            `${from} does not respond (${cause.message}); pass the published keys with --keys FILE`,
          )
        },
      )
    : readFileSync(from, 'utf8')
  return (JSON.parse(text) as { keys: PublishedKey[] }).keys
}

type Options = { keys?: string; statement?: string; results?: string }

function readArguments(): { file: string; options: Options } {
  const text = { type: 'string' } as const
  try {
    const options = { keys: text, statement: text, results: text }
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [file] = positionals
    if (file !== undefined && positionals.length === 1) return { file, options: values }
  } catch {
    // An unknown option, or one without its value, is followed by the usage below.
  }
  console.error(
    'usage: npm run verify-receipt -- FILE [--keys FILE|URL] [--statement FILE.csv] [--results FILE.json]',
  )
  process.exit(2)
}
