/**
 * All that an account is and has, as the files of one ZIP that can be read without us: who may use it, its statement,
 * its jobs with their receipts, every text that is kept, and the rows of every other table, as the register of tables
 * says. It is made while it is sent.
 */
import { Readable } from 'node:stream'
import { heldBytesOf, streamBody } from '../../kit/file-body.ts'
import { sentDates } from '../../model/jobs/date-bounds.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { formatUsd } from '../../model/money/money.ts'
import { type AccountRow, findAccount, listApiKeys } from '../../store/accounts.ts'
import { listAddressChanges } from '../../store/address-changes.ts'
import { listApps } from '../../store/app-connections.ts'
import type { TextSource } from '../transcripts/read-stored.ts'
import type { Db } from '../../store/database.ts'
import { type JobRecord, listJobsAfter } from '../../store/jobs.ts'
import { listUsers } from '../../store/overviews.ts'
import { type BatchRecord, findBatch, listBatches } from '../../store/batches.ts'
import { listSubscriptions } from '../../store/subscriptions.ts'
import { listOrigins } from '../../store/transcripts.ts'
import { listWebhooks } from '../../store/webhooks.ts'
import { readBalance, streamStatementCsv } from '../money/balance.ts'
import { readPublishedKeys, readReceipt, type Signer } from '../money/receipts.ts'
import { openExportZip } from '../files/export-zip.ts'
import { openFile } from '../files/open-file.ts'
import type { SentFile } from '../files/send-zip.ts'
import { openExportedRows, ROWS_OF_JOB, TABLES_NOT_SHOWN, TABLES_SHOWN } from './export-tables.ts'

/** Number of jobs, or rows of one, that an export asks for at once, and of followed channels that it names. */
const EXPORTED_JOBS_AT_ONCE = 100
const EXPORTED_LIST_ROWS = 10_000

type AccountExportOrder = {
  accountId: string
  signer: Signer
  /** The service that receipts name as their issuer. */
  issuer: string
  now: Date
  makeRoom: MakeRoom
}

/** Waits until there is memory for a file's bytes; resolves with what gives it back. */
type MakeRoom = (bytes: number) => Promise<() => void>

/**
 * Opens the export; null where there is no such account any more. `files` are to be read one after the other: the next
 * is made when the one before is read.
 */
export async function exportAccount(
  source: TextSource,
  order: AccountExportOrder,
): Promise<{ name: string; files: AsyncGenerator<SentFile, void> } | null> {
  const account = await findAccount(source.db, order.accountId)
  if (account === null || account.deletedAt !== null) return null
  const day = order.now.toISOString().slice(0, 10)
  return { name: `scriptorium-${day}-${account.id}.zip`, files: filesOf(source, account, order) }
}

async function* filesOf(
  source: TextSource,
  account: AccountRow,
  order: AccountExportOrder,
): AsyncGenerator<SentFile, void> {
  const { now, signer } = order
  const at = now.toISOString()
  yield text('README.txt', at, README)
  yield json('account.json', at, await describe(source.db, account, now))
  const statement = Readable.from(streamStatementCsv(source.db, account.id))
  yield { name: 'statement.csv', at, isPacked: false, bytes: statement }
  yield json('signing-keys.json', at, { keys: await readPublishedKeys(source.db, signer) })
  const rows = await openExportedRows(source.db)
  yield* rows.files(account.id, at)
  for await (const job of jobsOf(source.db, account.id)) {
    yield* filesOfJob(source, job, order)
    const bytes = Readable.from(rows.ofJob(job.id))
    const startedAt = job.createdAt.toISOString()
    yield { name: `${folderOf(job)}/rows.jsonl`, at: startedAt, isPacked: false, bytes }
  }
}

async function describe(db: Db, { id: accountId, email, createdAt }: AccountRow, now: Date) {
  const page = { accountId, offset: 0, limit: EXPORTED_LIST_ROWS }
  const [balance, users, changes, keys, apps, webhooks, following, batches] = await Promise.all([
    readBalance(db, accountId),
    listUsers(db, accountId),
    listAddressChanges(db, accountId),
    listApiKeys(db, accountId),
    listApps(db, accountId),
    listWebhooks(db, accountId),
    listSubscriptions(db, page),
    readWholeBatches(db, accountId),
  ])
  return {
    accountId,
    email,
    createdAt,
    exportedAt: now,
    availableUsd: formatUsd(balance.availableMicros),
    reservedUsd: formatUsd(balance.heldMicros),
    signsInWith: users.map((user) => user.email),
    addressChanges: changes.map(({ oldEmail, newEmail, askedAt, madeAt }) => {
      return { from: oldEmail, to: newEmail, askedAt, madeAt }
    }),
    keys: keys.map(({ accountId: _id, monthlyCapMicros: cap, ...key }) => {
      return { ...key, monthlyCapUsd: cap === null ? null : formatUsd(cap) }
    }),
    apps: apps.map(({ monthlyCapMicros, spentMicros, ...app }) => {
      const [monthlyCapUsd, spentThisMonthUsd] = [monthlyCapMicros, spentMicros].map(formatUsd)
      return { ...app, monthlyCapUsd, spentThisMonthUsd }
    }),
    webhooks: webhooks.map(({ url, events, createdAt: since }) => {
      return { url, events, createdAt: since }
    }),
    batches: batches.map(({ id, name, urls, state, createdAt: since }) => {
      return { id, name, urls, state, createdAt: since }
    }),
    following: following.map(({ line, title, state, createdAt: since, capMicros }) => {
      return { line, title, state, createdAt: since, monthlyCapUsd: formatUsd(capMicros) }
    }),
  }
}

/** Returns the account's batches with their lines, one after the other. */
async function readWholeBatches(db: Db, accountId: string): Promise<BatchRecord[]> {
  const whole: BatchRecord[] = []
  for (const { id } of await listBatches(db, { accountId, offset: 0, limit: EXPORTED_LIST_ROWS })) {
    const batch = await findBatch(db, { accountId, batchId: id })
    if (batch !== null) whole.push(batch)
  }
  return whole
}

/** Yields the account's jobs, newest first; jobs that are started meanwhile are in the next export. */
async function* jobsOf(db: Db, accountId: string): AsyncGenerator<JobRecord, void> {
  let afterId: string | null = null
  for (;;) {
    const jobs: JobRecord[] = await listJobsAfter(db, {
      accountId,
      afterId,
      limit: EXPORTED_JOBS_AT_ONCE,
    })
    yield* jobs
    if (jobs.length < EXPORTED_JOBS_AT_ONCE) return
    afterId = jobs.at(-1)?.id ?? null
  }
}

function folderOf({ id, createdAt }: JobRecord): string {
  return `jobs/${createdAt.toISOString().slice(0, 10)}-${id}`
}

async function* filesOfJob(
  source: TextSource,
  job: JobRecord,
  { signer, issuer, makeRoom }: AccountExportOrder,
): AsyncGenerator<SentFile, void> {
  const { accountId, id: jobId, createdAt } = job
  const at = createdAt.toISOString()
  const folder = folderOf(job)
  yield json(`${folder}/job.json`, at, presentJob(job))
  const report = await openReport(source, job, makeRoom)
  if (report !== null) yield { name: `${folder}/report.csv`, at, isPacked: false, bytes: report }
  const origins = Readable.from(linesOfOrigins(source.db, jobId))
  yield { name: `${folder}/videos.jsonl`, at, isPacked: false, bytes: origins }
  const hasTexts = job.textsDeletedAt === null && job.counts.success > job.deletedTexts
  const texts = hasTexts ? await openTexts(source, job, makeRoom) : null
  if (texts !== null) yield { name: `${folder}/transcripts.zip`, at, isPacked: false, bytes: texts }
  if (!isFinal(job.state)) return
  const receipt = await readReceipt(source.db, { signer, issuer }, { accountId, jobId })
  if (receipt?.kind === 'receipt') yield json(`${folder}/receipt.json`, at, receipt.receipt)
}

async function openReport(
  source: TextSource,
  { accountId, id: jobId }: JobRecord,
  makeRoom: MakeRoom,
): Promise<Readable | null> {
  const ref = { kind: 'whole', file: 'report.csv' } as const
  const input = { accountId, jobId, ref, naming: 'title', bom: false } as const
  const opened = await openFile(source, input)
  if (opened === null) return null
  const { body } = opened
  return Readable.from(streamInRoom(streamBody(body), heldBytesOf(body), makeRoom))
}

async function openTexts(
  source: TextSource,
  { accountId, id: jobId }: JobRecord,
  makeRoom: MakeRoom,
): Promise<Readable | null> {
  // Every text is in the export as text to read and with its times, whatever its job asked for.
  const of = { jobId, naming: 'title', forms: ['json', 'txt'] } as const
  const order = { accountId, of, exports: ['words.json'], passageMs: 0 } as const
  const opened = await openExportZip(source, order)
  const bytes = await opened?.begin()
  if (opened === null || bytes == null) return null
  return Readable.from(streamInRoom(bytes, opened.heldBytes, makeRoom))
}

async function* streamInRoom(
  bytes: AsyncIterable<Buffer>,
  heldBytes: number,
  makeRoom: MakeRoom,
): AsyncGenerator<Buffer, void> {
  const giveBack = await makeRoom(heldBytes)
  try {
    yield* bytes
  } finally {
    giveBack()
  }
}

/** Yields a line of JSON for each finished row: the tracks of its video, and where its text came from. */
async function* linesOfOrigins(db: Db, jobId: string): AsyncGenerator<Buffer, void> {
  const limit = EXPORTED_JOBS_AT_ONCE
  for (let after = 0; ;) {
    const rows = await listOrigins(db, { jobId, after, limit })
    for (const { index, videoId, tracks, hasWordTimes, ...source } of rows) {
      after = index
      const line = { index, videoId, tracks, source: source.sha256 === null ? null : source }
      yield Buffer.from(`${JSON.stringify({ ...line, hasWordTimes })}\n`)
    }
    if (rows.length < limit) return
  }
}

function presentJob({ reservedMicros, chargedMicros, ...job }: JobRecord) {
  return {
    id: job.id,
    name: job.givenName,
    note: job.note,
    state: job.state,
    error: job.error,
    createdAt: job.createdAt,
    finishedAt: job.finishedAt,
    urls: job.urls,
    language: job.language,
    formats: job.formats,
    maxVideos: job.maxVideos,
    ...sentDates(job),
    notices: job.notices,
    discovered: job.discovered,
    processed: job.processed,
    counts: job.counts,
    textsDeletedAt: job.textsDeletedAt,
    deletedTexts: job.deletedTexts,
    reservedUsd: formatUsd(reservedMicros),
    chargedUsd: chargedMicros === null ? null : formatUsd(chargedMicros),
  }
}

function text(name: string, at: string, content: string): SentFile {
  return { name, at, isPacked: false, bytes: Readable.from([Buffer.from(content)]) }
}

function json(name: string, at: string, value: unknown): SentFile {
  return text(name, at, `${JSON.stringify(value, null, 2)}\n`)
}

/** The page that explains the export to its reader, without us. */
const README = `This is what Scriptorium keeps of one account, as it stood when the file was made. What is kept
and not in here stands at the end, with the reason.

account.json             who may use the account: address and its last changes, API keys (names and
                         beginnings, never the secrets), connected apps, webhooks, followed channels;
                         and the balance
statement.csv            every entry of the ledger, newest first, with the hashes that chain them
signing-keys.json        the public keys that sign receipts (Ed25519, raw bytes in base64)
jobs/DATE-ID/            one folder for each job:
  job.json                 what was asked for and how it ended
  report.csv               one line for each video: its result and what it cost
  videos.jsonl             one line of JSON for each video: its caption tracks, and of which reply of the
                           platform its text was read: SHA-256 and length of its content, and when
  transcripts.zip          the texts (.txt), their timed segments (.json) and, where it is known, when each
                           word is said (.words.json), and all texts in one file
  receipt.json             what was delivered and charged, signed
  rows.jsonl               all that is kept of the job beside its texts, as a line of JSON for each row:
${ROWS_OF_JOB}
tables/                  everything else that is kept, as a line of JSON for each row, without secrets:
${TABLES_SHOWN}

To check a receipt without us, take \`signature\` out and write the rest as JSON with the names of every
object sorted and nothing between the tokens, in UTF-8: signature.value (base64) signs those bytes, by the
key whose id is signature.keyId. delivered[].textSha256 is the SHA-256 of a transcript's text as the
results show it: the texts of its segments joined by single spaces, without one between two characters of
Chinese or Japanese (with one in texts delivered by earlier releases). Keys are published at the receipt's issuer, too, for those who trust no file:
/.well-known/scriptorium-keys.json. The project's program for it needs nothing else of the project:
  npm run verify-receipt -- receipt.json --keys signing-keys.json --statement statement.csv

What is kept of the account and is not in here:
${TABLES_NOT_SHOWN}

Instants are UTC. Amounts are US dollars; names that end in Micros are millionths of one. Segments
have startMs and endMs in milliseconds.
A job whose texts were deleted has no transcripts.zip. A job that was still running when the file was
made has no receipt.json, and only what was delivered until then.
`
