/** The house rules bite: each breach, made in a scratch copy of the project, is refused by name. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { findBreaches } from '../../tools/scripts/check-imports.ts'
import { CODECS } from '../../tools/scripts/storeys.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const COPIED = [
  'src',
  'emulator',
  'web/src',
  'clients',
  'tools/conformance',
  'package.json',
  'tsconfig.json',
]

type Breach = {
  what: string
  file: string
  /** Code that is put at the end of the file. */
  code: string
  /** Part of what the refusal says. */
  refusal: RegExp
}

const BREACHES: Breach[] = [
  {
    what: 'a noun that waits',
    file: 'src/model/jobs/job.ts',
    code: 'export async function later(): Promise<void> { await new Promise((done) => setTimeout(done, 1)) }',
    refusal: /a noun knows no clock.*src\/model\/jobs\/job\.ts uses (async|setTimeout)/,
  },
  {
    what: 'a table that calls a feature',
    file: 'src/store/receipts.ts',
    code: "import { startJob } from '../features/jobs/start-job.ts'\nexport const started = startJob",
    refusal:
      /no room imports from a storey above: src\/store\/receipts\.ts -> src\/features\/jobs\/start-job\.ts/,
  },
  {
    what: 'a kit that knows a type of the product',
    file: 'src/kit/http/bare-app.ts',
    code: "import type { JobState } from '../../model/jobs/job.ts'\nexport type Drained = JobState",
    refusal:
      /no room imports from a storey above: src\/kit\/http\/bare-app\.ts -> src\/model\/jobs\/job\.ts/,
  },
  {
    what: 'a surface that opens what the wiring opens',
    file: 'src/admin/command.ts',
    code: "import { openContext } from '../open-context.ts'\nexport const opened = openContext",
    refusal:
      /no room imports from a storey above: src\/admin\/command\.ts -> src\/open-context\.ts/,
  },
  {
    what: 'two rooms that import each other, by types and over others',
    file: 'src/features/money/balance.ts',
    code: "import type { Mail } from '../accounts/mail.ts'\nexport type Post = Mail",
    refusal:
      /no ring of rooms: .*features\/money\/balance\.ts -> src\/features\/accounts\/mail\.ts/,
  },
  {
    what: 'a route that writes a table itself',
    file: 'src/api/money/routes.ts',
    code: "import { setFinal } from '../../store/jobs.ts'\nexport const final = setFinal",
    refusal:
      /surfaces reach a table through a feature only: src\/api\/money\/routes\.ts -> src\/store\/jobs\.ts/,
  },
  {
    what: 'a noun that calls a feature',
    file: 'src/model/money/ledger.ts',
    code: "import { startJob } from '../../features/jobs/start-job.ts'\nexport const started = startJob",
    refusal:
      /no room imports from a storey above: src\/model\/money\/ledger\.ts -> src\/features\/jobs\/start-job\.ts/,
  },
  {
    what: 'a noun that rolls dice',
    file: 'src/model/jobs/read-order.ts',
    code: 'export const dice = (): number => Math.random()',
    refusal: /a noun knows no clock.*src\/model\/jobs\/read-order\.ts uses Math\.random/,
  },
  {
    what: 'a noun that asks the network',
    file: 'src/model/files/formats.ts',
    code: "export const asked = (): unknown => fetch('http://localhost')",
    refusal: /a noun knows no clock.*src\/model\/files\/formats\.ts uses fetch/,
  },
  {
    what: 'a noun that looks at the clock',
    file: 'src/model/jobs/history.ts',
    code: 'export const then = { at: new Date() }',
    refusal: /a noun knows no clock.*src\/model\/jobs\/history\.ts uses new Date\(\)/,
  },
  {
    what: 'a feature that reads the wall clock',
    file: 'src/features/jobs/cancel-job.ts',
    code: 'export const cancelledAt = { ms: Date.now() }',
    refusal: /only the wiring reads the wall clock: src\/features\/jobs\/cancel-job\.ts/,
  },
  {
    what: 'a noun that reads files',
    file: 'src/model/files/file-names.ts',
    code: "import fs from 'node:fs'\nexport const exists = fs.existsSync",
    refusal: /a noun uses nothing of Node.*src\/model\/files\/file-names\.ts -> fs/,
  },
  {
    what: 'a feature that calls the platform',
    file: 'src/features/jobs/cancel-job.ts',
    code: "import { openPlatform } from '../../platform/youtube/open-platform.ts'\nexport const opened = openPlatform",
    refusal:
      /only the worker and the operator call the platform: src\/features\/jobs\/cancel-job\.ts/,
  },
  {
    what: 'a platform that knows a table',
    file: 'src/platform/youtube/verdict.ts',
    code: "import type { JobRecord } from '../../store/jobs.ts'\nexport type Job = JobRecord",
    refusal:
      /the platform knows no database: src\/platform\/youtube\/verdict\.ts -> src\/store\/jobs\.ts/,
  },
  {
    what: 'a platform that opens a database',
    file: 'src/platform/youtube/blame.ts',
    code: "import { transact } from '../../kit/postgres/database.ts'\nexport const begun = transact",
    refusal:
      /the platform knows no database: src\/platform\/youtube\/blame\.ts -> src\/kit\/postgres\/database\.ts/,
  },
  {
    what: 'a noun that begins a transaction',
    file: 'src/model/jobs/attempt.ts',
    code: "import { transact } from '../../kit/postgres/database.ts'\nexport const begun = transact",
    refusal:
      /a noun knows neither HTTP nor a database: src\/model\/jobs\/attempt\.ts -> src\/kit\/postgres\/database\.ts/,
  },
  {
    what: 'a route that calls the platform',
    file: 'src/api/jobs/routes.ts',
    code: "import { openPlatform } from '../../platform/youtube/open-platform.ts'\nexport const opened = openPlatform",
    refusal: /only the worker and the operator call the platform: src\/api\/jobs\/routes\.ts/,
  },
  {
    what: 'a tool that starts a worker',
    file: 'src/mcp/job-answers.ts',
    code: "import { startWorker } from '../worker/worker.ts'\nexport const started = startWorker",
    refusal: /nobody but the wiring starts the worker: src\/mcp\/job-answers\.ts/,
  },
  {
    what: 'an index that reads a table',
    file: 'src/features/search/index-words.ts',
    code: "import { findJob } from '../../store/jobs.ts'\nexport const found = findJob",
    refusal:
      /indexes are told what to hold.*src\/features\/search\/index-words\.ts -> src\/store\/jobs\.ts/,
  },
  {
    what: 'a worker that writes a table itself',
    file: 'src/worker/plan-job.ts',
    code: "import { setFinal } from '../store/jobs.ts'\nexport const final = setFinal",
    refusal: /the worker writes through features only: src\/worker\/plan-job\.ts imports setFinal/,
  },
  {
    what: 'an emulator that knows the service',
    file: 'emulator/world.ts',
    code: "import { LIMITS } from '../src/config/config.ts'\nexport const limits = LIMITS",
    refusal:
      /the emulator knows nothing of the service: emulator\/world\.ts -> src\/config\/config\.ts/,
  },
  {
    what: 'a website that reaches into the service',
    file: 'web/src/format.ts',
    code: "import { LIMITS } from '../../src/config/config.ts'\nexport const limits = LIMITS",
    refusal:
      /the website reaches the service by HTTP only.*web\/src\/format\.ts -> src\/config\/config\.ts/,
  },
  {
    what: 'a circle of types',
    file: 'src/model/money/money.ts',
    code: "import type { Entry } from './ledger.ts'\nexport type Circle = Entry",
    refusal:
      /no import circle, types included: .*src\/model\/money\/(ledger\.ts -> src\/model\/money\/money\.ts|money\.ts -> src\/model\/money\/ledger\.ts)/,
  },
  {
    what: 'an egress that knows where it leads',
    file: 'src/platform/egress/route.ts',
    code: "import { captionUrls } from '../youtube/captions.ts'\nexport const urls = captionUrls",
    refusal: /egress knows nothing of the platform it leads to: src\/platform\/egress\/route\.ts/,
  },
  {
    what: 'a client library that needs more than the web has',
    file: 'clients/typescript/src/retry.ts',
    code: "import { setTimeout as pause } from 'node:timers/promises'\nexport const paused = pause",
    refusal: /the client library knows nothing but itself: clients\/typescript\/src\/retry\.ts/,
  },
]

test('every file that is named as an exception is there', () => {
  assert.deepEqual(
    CODECS.filter((file) => !existsSync(path.join(ROOT, 'src', file))),
    [],
  )
})

test('each breach is refused by name', async (t) => {
  const copy = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-house-'))
  after(() => fs.rm(copy, { recursive: true, force: true }))
  for (const name of COPIED)
    await fs.cp(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  for (const { file, code } of BREACHES) await fs.appendFile(path.join(copy, file), `\n${code}\n`)

  const refused = findBreaches(copy)
  for (const { what, refusal } of BREACHES) {
    await t.test(what, () =>
      assert.ok(
        refused.some((line) => refusal.test(line)),
        `${what} passed; refused: ${refused.join('\n')}`,
      ),
    )
  }
})
