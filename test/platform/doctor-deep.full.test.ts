/** `admin doctor --deep`: cases, identities, and a file of profiles that work, which `admin clients` accepts. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { CLIENT_PROFILES, type ClientProfile } from '../../src/platform/youtube/clients.ts'
import { testService } from '../support/service.ts'
import { adminOn } from '../admin/admin-command.ts'

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-deep-'))
const ends: (() => unknown)[] = []
const scope = { after: (end: () => unknown) => void ends.push(end) }
const { database, platform } = await testService(scope, {
  env: { ROLES: 'api' },
  emulator: { exits: 1 },
})
const env = {
  PLATFORM_ORIGIN: platform.origin,
  EGRESS_ROUTES: `${platform.exits[0]}#name=only&ratePerMinute=60000&concurrency=16`,
  LOG_LEVEL: 'silent',
}
const { admin, refusal } = adminOn(database.url, env)
afterEach(() => platform.clear())
after(async () => {
  for (const end of ends) await end()
  await fs.rm(folder, { recursive: true })
})

const inFolder = (name: string): string => path.join(folder, name)

/** Runs the deep doctor among faults. */
async function deep(faults: FaultRule[], ...words: string[]) {
  platform.apply({ faults })
  const { code, out, err } = await admin('doctor', '--deep', '--json', ...words)
  assert.equal(err, '')
  return { code, ...JSON.parse(out) }
}

/** Names the clients of a proposed file, as the service would use it. */
async function clientsOf(file: string): Promise<string[]> {
  const withFile = adminOn(database.url, { ...env, PLATFORM_CLIENTS: file })
  const { clients } = await withFile.value('clients')
  return clients.map(({ name }: { name: string }) => name)
}

test('all is well: every case comes as it should, and the profiles in use are proposed', async () => {
  const file = inFolder('well.json')
  const found = await deep([], '--propose', file)
  assert.deepEqual([found.code, found.verdict, found.faults], [0, 'healthy', []])
  assert.ok(found.cases.length >= 25)
  assert.deepEqual([found.proposed.file, found.proposed.leftOut], [file, []])
  const clients = await clientsOf(file)
  assert.deepEqual(clients.slice(0, 3), ['VISIONOS', 'ANDROID', 'IOS'])
  assert.equal(clients.length, 8)
  assert.ok(platform.log.counts().total < 400, String(platform.log.counts().total))
})

test('the matrix tells as which client, with whose identity and mask captions come', async () => {
  const found = await deep([
    { do: 'visitor', on: 'player', client: 'IOS' },
    { do: 'bad_request', on: 'player', client: 'ANDROID', masked: true },
  ])
  const works = found.matrix.rows.map(
    (row: { client: string; identity: string; of: string | null; isWorking: boolean }) =>
      `${row.client} ${row.identity} ${row.of} ${row.isWorking}`,
  )
  assert.deepEqual(works, [
    'VISIONOS own VISIONOS true',
    'VISIONOS other WEB true',
    'VISIONOS none null false',
    'ANDROID own ANDROID true',
    'ANDROID other WEB true',
    'ANDROID none null true',
    'IOS own IOS true',
    'IOS other WEB false',
    'IOS none null true',
  ])
  const text = found.lines.join('\n')
  assert.match(text, /ANDROID 21\.26\.364: its own works, with the mask bad_request; /)
  assert.match(text, /IOS 21\.26\.4: its own works; that of WEB bot_check; none works/)
  assert.deepEqual([found.code, found.verdict], [2, 'degraded'])
})

test('a client that is refused is left out of the proposal', async () => {
  const file = inFolder('refused.json')
  const refused: FaultRule = { do: 'forbidden', on: 'player', client: 'VISIONOS' }
  const found = await deep([refused], '--propose', file)
  assert.equal(found.code, 2)
  assert.deepEqual(found.proposed.leftOut, ['VISIONOS'])
  const clients = await clientsOf(file)
  assert.deepEqual(clients.slice(0, 2), ['ANDROID', 'IOS'])
  assert.deepEqual((await deep([refused])).proposed, null)
})

test('an older version stands in for a newer one that the platform retired', async () => {
  const [used, file] = [inFolder('used.json'), inFolder('older.json')]
  const profiles = CLIENT_PROFILES.map((client): ClientProfile => {
    const context = { ...client.context, clientVersion: '19.44.38' }
    return client.name === 'ANDROID' ? { ...client, context } : client
  })
  await fs.writeFile(used, JSON.stringify(profiles))
  const configured = adminOn(database.url, { ...env, PLATFORM_CLIENTS: used })
  const { code, out } = await configured.admin('doctor', '--deep', '--propose', file)
  assert.equal(code, 2)
  assert.match(
    out,
    /older\.json holds 7 client profiles, without ANDROID\. Use it with PLATFORM_CLIENTS=/,
  )
  const clients = await clientsOf(file)
  assert.ok(clients.includes('ANDROID_20') && !clients.includes('ANDROID'), clients.join(' '))
  assert.match(await configured.refusal('doctor', '--deep', '--propose', used), /used\.json exists/)
})

test('no file is proposed that the service would refuse', async () => {
  const file = inFolder('none.json')
  const alone = ['VISIONOS', 'ANDROID'].map((client): FaultRule => {
    return { do: 'forbidden', on: 'player', client }
  })
  const one = await deep(alone, '--propose', file)
  assert.equal(one.code, 2)
  assert.match(
    one.proposed.text,
    /No profiles are proposed, and .* is not written: .*only one client \(IOS\)/,
  )
  const unlisted = await deep([{ do: 'forbidden', on: 'browse' }], '--propose', file)
  assert.match(unlisted.proposed.text, /is not written: no client lists anything/)
  assert.equal(unlisted.proposed.file, null)
  await assert.rejects(fs.stat(file), 'nothing was written')
})

test('where nothing delivers, no case is asked, and the exit code says so', async () => {
  const found = await deep([{ do: 'bot_check', on: 'player' }])
  assert.deepEqual([found.code, found.verdict, found.cases, found.matrix], [1, 'down', [], null])
  assert.match(found.lines.join('\n'), /Cases: not asked, since nothing delivers\./)
})

test('a known limit alone ends with 3, a case that comes otherwise with 2', async () => {
  const gate: FaultRule = { do: 'forbidden', on: 'page' }
  assert.equal((await deep([gate])).code, 3)
  const file = inFolder('cases.json')
  const odd = {
    name: 'odd',
    kind: 'video',
    platform: null,
    standIn: '60vNGGwFgvk',
    allowed: ['success'],
    why: 'it had captions once',
  }
  await fs.writeFile(file, JSON.stringify([odd]))
  const found = await deep([], '--cases', file)
  assert.equal(found.code, 2)
  assert.equal(found.faults.length, 1)
  const [fault] = found.faults
  assert.deepEqual([fault.part, fault.route, fault.setting], ['case', null, null])
  assert.match(
    fault.refused,
    /^odd: no_captions\. .*Right would be success: it had captions once\./,
  )
  assert.match(fault.mend, /name newer cases with --cases/)
})

test('what cannot be done is refused before anything is asked', async () => {
  const taken = inFolder('taken.json')
  await fs.writeFile(taken, '[]')
  assert.match(
    await refusal('doctor', '--deep', '--propose', taken),
    /taken\.json exists; name a new/,
  )
  assert.match(await refusal('doctor', '--deep', '--cases', taken), /taken\.json holds no cases/)
  assert.match(await refusal('doctor', '--propose', taken), /--propose goes with --deep/)
  assert.equal(await fs.readFile(taken, 'utf8'), '[]')
})
