/** `admin doctor --record` tells nothing of who recorded, and what it recorded is examined with the same verdict. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type FaultScript, startEmulator } from '../../emulator/server.ts'
import { proofOf } from '../../emulator/wire/proof.ts'
import { serveRecording } from '../../emulator/replay/serving.ts'
import { testDatabase } from '../support/database.ts'
import { adminOn } from './admin-command.ts'

const database = await testDatabase({ after })
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-recording-'))
after(() => fs.rm(folder, { recursive: true }))
let recordings = 0

const [USER, PASSWORD] = ['customer-of-proxies-7', 'hidden-word-of-it']

const WORLDS: Record<string, { script: FaultScript; code: number }> = {
  'a healthy platform': { script: {}, code: 0 },
  'a platform that refuses one client and retired another': {
    script: {
      faults: [
        { do: 'forbidden', on: 'player', client: 'ANDROID' },
        { do: 'retired', on: 'player', client: 'IOS' },
        { do: 'sorry_redirect', on: 'browse', client: 'MWEB' },
      ],
    },
    code: 2,
  },
  'a platform that withholds all words': {
    script: { faults: [{ do: 'empty', on: 'timedtext' }] },
    code: 1,
  },
  'a platform that wants tokens of proof': { script: { knobs: { guardAll: true } }, code: 0 },
}

/** Examines a platform; `found` is what must not depend on where it is. */
async function examine(env: Record<string, string>, ...words: string[]) {
  const { admin } = adminOn(database.url, { LOG_LEVEL: 'silent', ...env })
  const { code, out, err } = await admin('doctor', '--json', ...words)
  assert.equal(err, '')
  const { verdict, faults, routes } = JSON.parse(out)
  for (const route of routes) delete route.via
  return { code, verdict, faults, routes }
}

for (const [name, { script, code }] of Object.entries(WORLDS)) {
  test(`${name} is found to be so in its replay, which tells nothing of the recorder`, async (t) => {
    const { faults, knobs } = script
    const emulator = await startEmulator({
      exits: 1,
      faults,
      knobs: { ...knobs, tellsAddress: true },
    })
    const to = path.join(folder, String((recordings += 1)), 'new')
    const exit = String(emulator.exits[0]).replace('//', `//${USER}:${PASSWORD}@`)
    const first = await examine(
      {
        PLATFORM_ORIGIN: emulator.origin,
        EGRESS_ROUTES: `${exit}#name=proxy1&ratePerMinute=60000`,
        PO_TOKEN_URL: `${emulator.origin}/emulator`,
      },
      '--record',
      to,
    )
    const secrets = [
      '127.0.0.', // the exit, and what it sends from
      USER,
      PASSWORD,
      Buffer.from(`${USER}:${PASSWORD}`).toString('base64'),
      ...emulator.log
        .recent(1000)
        .flatMap(({ visitor, videoId }) => [
          ...spellings(visitor),
          ...spellings(videoId === '' ? '' : proofOf(emulator.world.seed, videoId)),
        ]),
    ]
    await emulator.close()
    assert.equal(first.code, code)
    await tellsNone(to, secrets)

    const lines: string[] = []
    const served = await serveRecording({ folder: to, onUnrecorded: (line) => lines.push(line) })
    t.after(() => served.close())
    const again = await examine({
      PLATFORM_ORIGIN: served.origin,
      EGRESS_ROUTES: served.routes ?? '',
      PO_TOKEN_URL: served.origin,
    })
    assert.deepEqual(again, first)
    assert.deepEqual(lines, [])
  })
}

/** Returns an identity or token without its padding, and the name that an identity holds. */
function spellings(value: string): string[] {
  const core = value.replace(/(?:%3D|=)+$/, '')
  const name = Buffer.from(core, 'base64url').toString('latin1', 2, 13)
  return core === '' ? [] : /^[\w-]{11}$/.test(name) ? [core, name] : [core]
}

/** Looks for secrets in all files of a recording, which only their owner may read. */
async function tellsNone(recorded: string, secrets: readonly string[]): Promise<void> {
  const names = await fs.readdir(recorded)
  assert.ok(names.length > 20 && secrets.length > 40, `${names.length} and ${secrets.length}`)
  for (const name of names) {
    const file = path.join(recorded, name)
    assert.equal((await fs.stat(file)).mode & 0o777, 0o600)
    const text = gunzipSync(await fs.readFile(file)).toString()
    assert.deepEqual(
      secrets.filter((secret) => text.includes(secret)),
      [],
      name,
    )
  }
}
