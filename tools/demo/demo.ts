/**
 * `npm run demo`: the whole service without network or account. It starts the embedded database, the
 * platform's stand-in and the service in this process, orders a job as a customer would, over HTTP,
 * prints a link that signs in to the website, and goes on running; with `--once` it ends, with status 0 only if
 * everything was right.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  type Job,
  type JobRequest,
  Scriptorium,
  type Video,
} from '../../clients/typescript/src/index.ts'
import { type Emulator, startEmulator } from '../../emulator/server.ts'
import { readArguments } from '../scripts/arguments.ts'
import { buildWeb } from '../scripts/build-web.ts'
import { createUser } from '../scripts/dev-account.ts'
import { packClients } from '../scripts/pack-clients.ts'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { readConfig } from '../../src/config/config.ts'
import { leaveEmbeddedServers } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { stopSignal } from '../../src/kit/stop.ts'
import { type Service, startService } from '../../src/serve.ts'
import { inDollars } from '../../src/model/money/money.ts'
import { LINK_MINUTES, openSignInLink } from './sign-in-link.ts'
import { openShownPages } from './shown-pages.ts'
import { findFaults } from './verify-demo.ts'
import { drawProgress, printRows, printTranscript } from './show.ts'

const PATIENCE_MS = 120_000
const CREDIT_MICROS = 5_000_000n
const EMAIL = 'demo@example.org'
const PASSWORD_BYTES = 12
const SOURCES = [
  'https://www.youtube.com/@smallworkshop',
  'https://www.youtube.com/playlist?list=PLKx8JbcwL3vQnkztKBojWtMp0Jh4sqxAQ',
  'https://youtu.be/w9uwpjIQra4',
  'https://www.youtube.com/@goneaccount',
]
/** What the first job may take: more than its sources have, and less than the credit pays for. */
const FIRST_MAX = 100
/** The channel whose texts make sense; the pictures of the first page show it. */
const LECTURES = { urls: 'https://www.youtube.com/@eveninglectures', maxVideos: 12 }
const PROJECT = 'The bridge, for the town history'
/** Further jobs, so that the library has several channels, a playlist and languages. */
const LIBRARY = [
  { urls: 'https://www.youtube.com/@tallerpequeno', maxVideos: 20 },
  { urls: 'https://www.youtube.com/@warsha', maxVideos: 15 },
  { urls: 'https://www.youtube.com/@中村のあそびば', maxVideos: 15 },
]
/** The last one has videos of theirs, and leaves out what they brought. */
const PLAYLIST = {
  urls: 'https://www.youtube.com/playlist?list=PLTVXJMu7WrYDmF90ZoFc9I9EJKFIstrU_',
  maxVideos: 20,
}

const { once: isOnce } = readArguments({
  options: { once: { type: 'boolean', default: false } },
}).values
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-demo-'))
const opened: (() => Promise<unknown>)[] = []
const removeData = (): void => fs.rmSync(dataDir, { recursive: true, force: true })
const stop = stopSignal(() => void crash())
process.once('uncaughtException', (error) => {
  say(`demo: ${error.stack ?? error.message}`)
  void crash()
})
process.exitCode = await run()
// A library's timer is no reason to stay alive.
process.exit()

/** Returns the exit code: of a stop that was asked for, it is 0. */
async function run(): Promise<number> {
  let code = 0
  try {
    const faults = await show()
    for (const fault of faults) say(`WRONG: ${fault}`)
    if (isOnce) code = faults.length === 0 ? 0 : 1
    else if (!stop.aborted) await once(stop, 'abort')
  } catch (error) {
    code = stop.aborted ? 0 : 1
    if (!stop.aborted) say(`demo: ${error instanceof Error ? error.message : String(error)}`)
  }
  for (const end of opened.splice(0).reverse()) await end().catch(() => undefined)
  removeData()
  return code
}

/** Ends at once, with the database, which is a process of its own and would write into its folder again. */
async function crash(): Promise<never> {
  await leaveEmbeddedServers()
  removeData()
  process.exit(1)
}

async function show(): Promise<string[]> {
  say('Scriptorium starts, with a database, a stand-in for the video platform and a first job…')
  if (!isOnce) buildWeb()
  if (!isOnce) await packClients()
  const platform = await startEmulator({ latencyMs: 40 })
  opened.push(() => platform.close())
  const shown = await openShownPages()
  opened.push(() => shown.close())
  const service = await startHere(platform.origin, shown.url)
  opened.push(() => service.close())
  const address = service.address ?? ''
  const { apiKey } = await createAccountWithKey(service.context.db, {
    email: EMAIL,
    micros: CREDIT_MICROS,
  })
  const client = new Scriptorium({ apiKey, baseUrl: address })
  const { id } = await client.jobs.start({ urls: SOURCES, maxVideos: FIRST_MAX })
  const patience = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)])
  await drawProgress(client.jobs.events(id, { signal: patience }))
  const job = await client.jobs.get(id)
  const rows: Video[] = []
  for await (const row of client.jobs.results(id)) rows.push(row)
  const faults = await findFaults({ client, platform, job, rows, creditMicros: CREDIT_MICROS })
  if (!isOnce) shown.lead(publicUrlOf(service), await fillLibrary(client, patience))
  if (!isOnce) await printEntrance(service)
  say(`\nThe first job: ${SOURCES.join('  ')}`)
  printRows(rows)
  printTranscript(rows)
  printCharge(job)
  if (!isOnce) printCalls({ address, apiKey, id }, platform)
  return faults
}

/**
 * Orders the other jobs: the channels side by side, and then the playlist; nothing is bought twice. Makes a project of
 * the lectures. Returns the pages that the pictures show.
 */
async function fillLibrary(client: Scriptorium, signal: AbortSignal): Promise<Map<string, string>> {
  const order = async (request: JobRequest): Promise<string> => {
    const { id } = await client.jobs.start(request, { signal, owned: 'skip' })
    await client.jobs.wait(id, { signal })
    return id
  }
  const [lectures = ''] = await Promise.all([LECTURES, ...LIBRARY].map(order))
  await order(PLAYLIST)
  const project = await client.projects.create({ name: PROJECT })
  await client.projects.add(project.id, { job: lectures })
  return new Map([
    ['search', '/search?q=bridge'],
    ['reader', `/jobs/${lectures}/1`],
    ['project', `/library/${project.id}`],
  ])
}

/** Makes the account's user, and prints the link that signs them in. */
async function printEntrance(service: Service): Promise<void> {
  const { context } = service
  const publicUrl = publicUrlOf(service)
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const userId = await createUser(context, { email: EMAIL, password })
  if (userId === null) throw new Error(`${EMAIL} has a user already`)
  const link = await openSignInLink(context, { publicUrl, userId, target: '/library' })
  opened.push(() => link.close())
  say(`
Open  ${link.url}
      signs you in, once, within ${LINK_MINUTES} minutes; later: ${publicUrl}, ${EMAIL}, password ${password}`)
}

function publicUrlOf({ address }: Service): string {
  return `http://localhost:${new URL(address ?? '').port}`
}

function printCharge({ billing }: Job): void {
  const { charged, chargedTranscripts, pricePerTranscript } = billing
  const [sum, price] = [inDollars(charged ?? '0.000'), inDollars(pricePerTranscript)]
  say(`\nCharged ${sum}: ${chargedTranscripts} transcripts at ${price}`)
}

function printCalls(
  { address, apiKey, id }: { address: string; apiKey: string; id: string },
  platform: Emulator,
): void {
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`
  say(`
The API  ${address}/api/v1   key ${apiKey}
  curl -s ${authorization} ${address}/api/v1/jobs/${id}/files/all.txt | head -20
  curl -OJ ${authorization} ${address}/api/v1/jobs/${id}/files/zip
What there is to order  ${platform.origin}/emulator/world (or emulator/README.md)
The data lies in ${dataDir} until Ctrl-C ends it.`)
}

function startHere(origin: string, demoUrl: string): Promise<Service> {
  const config = readConfig({
    PLATFORM_ORIGIN: origin,
    DATA_DIR: dataDir,
    STOP_NOTICE: '0',
    PORT: process.env['PORT'] ?? '0',
    LOG_LEVEL: 'warn',
    DEMO_URL: demoUrl,
  })
  return startService(config, stop)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
