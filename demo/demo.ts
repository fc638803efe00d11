/**
 * `npm run demo`: the whole service without network or account. It starts the embedded database, the
 * platform's stand-in and the service in this process, orders a job as a customer would, over HTTP,
 * and goes on running; with `--once` it ends, with status 0 only if everything was right.
 */
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Job, Scriptorium, type Video } from '../clients/typescript/src/index.ts'
import { startEmulator } from '../emulator/server.ts'
import { readArguments } from '../scripts/arguments.ts'
import { buildWeb } from '../scripts/build-web.ts'
import { packClients } from '../scripts/pack-clients.ts'
import { createAccountWithKey } from '../src/features/accounts/account.ts'
import { readConfig } from '../src/kit/config/config.ts'
import { type Service, startService } from '../src/serve.ts'
import { findFaults } from './verify-demo.ts'
import { printProgress, printRows, printTranscript } from './show.ts'

const PATIENCE_MS = 120_000
/** Seconds between two looks at the job. */
const PROGRESS_S = 1
const CREDIT_MICROS = 1_000_000n
const SOURCES = [
  'https://www.youtube.com/@smallworkshop',
  'https://www.youtube.com/playlist?list=PLKx8JbcwL3vQnkztKBojWtMp0Jh4sqxAQ',
  'https://youtu.be/w9uwpjIQra4',
  'https://www.youtube.com/@goneaccount',
]

const { once: isOnce } = readArguments({
  options: { once: { type: 'boolean', default: false } },
}).values
const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-demo-'))
const opened: (() => Promise<unknown>)[] = [() => fs.rm(dataDir, { recursive: true, force: true })]
const close = async (): Promise<void> => {
  for (const end of opened.splice(0).reverse()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(0))

try {
  const faults = await show()
  for (const fault of faults) say(`WRONG: ${fault}`)
  if (isOnce) await leave(faults.length === 0 ? 0 : 1)
} catch (error) {
  say(`demo: ${error instanceof Error ? error.message : String(error)}`)
  await leave(1)
}

async function show(): Promise<string[]> {
  if (!isOnce) buildWeb()
  if (!isOnce) await packClients()
  const platform = await startEmulator({ latencyMs: 40 })
  opened.push(() => platform.close())
  say(`The platform's stand-in answers at ${platform.origin}`)
  const service = await startHere(platform.origin, dataDir)
  opened.push(() => service.close())
  const address = service.address ?? ''
  say(`Scriptorium answers at ${address} (data in ${dataDir} until it ends)`)

  const { db } = service.context
  const account = await createAccountWithKey(db, {
    email: 'demo@example.org',
    micros: CREDIT_MICROS,
  })
  const { apiKey } = account
  const client = new Scriptorium({ apiKey, baseUrl: address })
  const { balance } = await client.balance()
  say(`\nAn account with ${balance} USD, and a job for:`)
  for (const line of SOURCES) say(`  ${line}`)

  const started = await client.jobs.start({ urls: SOURCES })
  for (const notice of started.notices ?? []) say(`  note: ${notice}`)
  const job = await follow(client, started)
  const rows: Video[] = []
  for await (const row of client.jobs.results(job.id)) rows.push(row)
  printRows(rows)
  printTranscript(rows)
  const { charged, chargedTranscripts, pricePerTranscript } = job.billing
  const { balance: left } = await client.balance()
  say(
    `\nCharged ${charged} USD: ${chargedTranscripts} transcripts at ${pricePerTranscript} USD. Left: ${left} USD`,
  )

  const faults = await findFaults({ client, platform, job, rows, creditMicros: CREDIT_MICROS })
  if (!isOnce) {
    say(`\nIt goes on running. Website and API: ${address}   key: ${apiKey}`)
    say(
      `  curl -H 'Authorization: Bearer ${apiKey}' ${address}/api/v1/jobs/${job.id}/results?limit=1`,
    )
    say(
      `  curl -OJ -H 'Authorization: Bearer ${apiKey}' ${address}/api/v1/jobs/${job.id}/files/zip`,
    )
    say(
      `  more to order: ${platform.origin}/emulator/world (or emulator/README.md). Ctrl-C ends it.`,
    )
  }
  return faults
}

/** Waits until the job is final and prints its progress. */
function follow(client: Scriptorium, { id }: Job): Promise<Job> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return client.jobs.wait(id, { everySeconds: PROGRESS_S, onProgress: printProgress, signal })
}

function startHere(origin: string, folder: string): Promise<Service> {
  return startService(
    readConfig({
      PLATFORM_ORIGIN: origin,
      DATA_DIR: folder,
      STOP_NOTICE: '0',
      PORT: process.env['PORT'] ?? '0',
      LOG_LEVEL: 'warn',
    }),
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function leave(code: number): Promise<never> {
  await close()
  process.exit(code)
}
