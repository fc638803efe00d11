/** The house rules bite: each breach, made in a scratch copy of the project, is refused by name. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { findBreaches } from '../../scripts/check-imports.ts'
import { NAMED_FILES } from '../../scripts/kinds.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const COPIED = [
  'src',
  'emulator',
  'web/src',
  'clients',
  'conformance',
  'package.json',
  'tsconfig.json',
]

type Breach = {
  what: string
  file: string
  /** Put at the end of the file. */
  code: string
  /** What the refusal says, in part. */
  refusal: RegExp
}

const BREACHES: Breach[] = [
  {
    what: 'a noun that waits',
    file: 'src/model/jobs/job.ts',
    code: 'export async function later(): Promise<void> { await new Promise((done) => setTimeout(done, 1)) }',
    refusal: /a noun knows no clock.*src\/jobs\/job\.ts uses (async|setTimeout)/,
  },
  {
    what: 'a table that calls a verb',
    file: 'src/store/receipts.ts',
    code: "import { startJob } from '../jobs/start-job.ts'\nexport const started = startJob",
    refusal: /table files import nothing but.*src\/store\/receipts\.ts -> src\/jobs\/start-job\.ts/,
  },
  {
    what: 'a route that writes a table itself',
    file: 'src/api/routes/balance.ts',
    code: "import { setFinal } from '../../store/jobs.ts'\nexport const final = setFinal",
    refusal:
      /entry point files import nothing but.*src\/api\/routes\/balance\.ts -> src\/store\/jobs\.ts/,
  },
  {
    what: 'a noun that calls a verb',
    file: 'src/model/money/ledger.ts',
    code: "import { startJob } from '../jobs/start-job.ts'\nexport const started = startJob",
    refusal: /noun files import nothing but.*src\/billing\/ledger\.ts -> src\/jobs\/start-job\.ts/,
  },
  {
    what: 'a noun that rolls dice',
    file: 'src/model/jobs/url-set.ts',
    code: 'export const dice = (): number => Math.random()',
    refusal: /a noun knows no clock.*src\/jobs\/url-set\.ts uses Math\.random/,
  },
  {
    what: 'a noun that asks the network',
    file: 'src/model/transcripts/formats.ts',
    code: "export const asked = (): unknown => fetch('http://localhost')",
    refusal: /a noun knows no clock.*src\/transcripts\/formats\.ts uses fetch/,
  },
  {
    what: 'a verb that calls the platform',
    file: 'src/features/jobs/cancel-job.ts',
    code: "import { openPlatform } from '../platform/open-platform.ts'\nexport const opened = openPlatform",
    refusal: /verbs never call the platform: src\/jobs\/cancel-job\.ts/,
  },
  {
    what: 'a worker that writes a table itself',
    file: 'src/worker/plan-job.ts',
    code: "import { setFinal } from '../store/jobs.ts'\nexport const final = setFinal",
    refusal: /the worker writes through verbs only: src\/worker\/plan-job\.ts imports setFinal/,
  },
  {
    what: 'an emulator that knows the service',
    file: 'emulator/world.ts',
    code: "import { LIMITS } from '../src/kit/config/config.ts'\nexport const limits = LIMITS",
    refusal: /the emulator knows nothing of the service: emulator\/world\.ts -> src\/config\.ts/,
  },
  {
    what: 'a website that reaches into the service',
    file: 'web/src/format.ts',
    code: "import { LIMITS } from '../../src/kit/config/config.ts'\nexport const limits = LIMITS",
    refusal:
      /the website reaches the service by HTTP only.*web\/src\/format\.ts -> src\/config\.ts/,
  },
  {
    what: 'a circle of types',
    file: 'src/model/money/money.ts',
    code: "import type { Entry } from './ledger.ts'\nexport type Circle = Entry",
    refusal:
      /no import circle, types included: src\/billing\/ledger\.ts -> src\/billing\/money\.ts/,
  },
  {
    what: 'an egress that knows where it leads',
    file: 'src/platform/egress/route.ts',
    code: "import { captionUrls } from '../youtube/captions.ts'\nexport const urls = captionUrls",
    refusal: /egress knows nothing of the platform it leads to: src\/platform\/egress\/route\.ts/,
  },
  {
    what: 'a noun that reads files',
    file: 'src/model/transcripts/file-names.ts',
    code: "import fs from 'node:fs'\nexport const exists = fs.existsSync",
    refusal: /a noun uses no more of Node.*src\/files\/file-names\.ts -> fs/,
  },
  {
    what: 'a client library that needs more than the web has',
    file: 'clients/typescript/src/retry.ts',
    code: "import { setTimeout as pause } from 'node:timers/promises'\nexport const paused = pause",
    refusal: /the client library knows nothing but itself: clients\/typescript\/src\/retry\.ts/,
  },
]

test('every file that is named as an exception is there', () => {
  assert.ok(NAMED_FILES.length > 10)
  assert.deepEqual(
    NAMED_FILES.filter((file) => !existsSync(path.join(ROOT, 'src', file))),
    [],
  )
})

test('the project itself has no breach', async () => {
  assert.deepEqual(await findBreaches(ROOT), [])
})

test('each breach is refused by name', async (t) => {
  const copy = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-house-'))
  after(() => fs.rm(copy, { recursive: true, force: true }))
  for (const name of COPIED)
    await fs.cp(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  await fs.symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  for (const { file, code } of BREACHES) await fs.appendFile(path.join(copy, file), `\n${code}\n`)

  const refused = await findBreaches(copy)
  for (const { what, refusal } of BREACHES) {
    await t.test(what, () =>
      assert.ok(
        refused.some((line) => refusal.test(line)),
        `${what} passed; refused: ${refused.join('\n')}`,
      ),
    )
  }
})
