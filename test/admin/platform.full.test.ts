/** `admin doctor` beside a job, and client profiles that change while a worker runs. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { CLIENT_PROFILES, type ClientProfile } from '../../src/platform/youtube/clients.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { adminOn } from './admin-command.ts'

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-clients-'))
const file = path.join(folder, 'clients.json')
await writeClients(CLIENT_PROFILES)

const ends: (() => unknown)[] = []
const scope = { after: (end: () => unknown) => void ends.push(end) }
const running = await testService(scope, { env: { ROLES: 'api' }, emulator: { exits: 1 } })
const { database, platform } = running
const env = {
  PLATFORM_ORIGIN: platform.origin,
  EGRESS_ROUTES: `${platform.exits[0]}#name=only&ratePerMinute=60000&concurrency=16`,
  PLATFORM_CLIENTS: file,
}
const worker = await running.another({ ROLES: 'worker', ...env })
after(async () => {
  for (const end of ends) await end()
  await fs.rm(folder, { recursive: true })
})
const { admin, value, refusal } = adminOn(database.url, { ...env, LOG_LEVEL: 'silent' })

async function writeClients(profiles: readonly ClientProfile[]): Promise<void> {
  await fs.writeFile(file, JSON.stringify(profiles))
}

async function delivers(urls: string[], maxVideos: number): Promise<number> {
  const { job } = await (await running.customer()).orders({ urls, maxVideos })
  return job['progress'].delivered
}

test('the doctor leaves no identity of its own to the service', async () => {
  assert.equal((await admin('doctor')).code, 0)
  const { rows } = await database.pool.query(
    'select name, visitor_data, streak, delivered_at from egress_route',
  )
  assert.deepEqual(rows, [{ name: 'only', visitor_data: null, streak: 0, delivered_at: null }])
})

test('a job of 48 delivers beside the doctor what it delivers without, and no route rests', async () => {
  platform.apply({ faults: [{ do: 'bot_check', on: 'player', client: 'VISIONOS' }] })
  const alone = await delivers(['@dailynotes'], 48)
  const before = await admin('doctor')
  const [beside, { code, out }] = await Promise.all([
    delivers(['@dailynotes'], 48),
    admin('doctor', '--json'),
  ])
  platform.clear()
  assert.ok(alone >= 40, String(alone))
  assert.equal(beside, alone)
  assert.deepEqual([before.code, code], [2, 2], before.out)
  const { faults } = JSON.parse(out)
  assert.deepEqual(
    faults.map(({ route, client }: { route: string; client: string }) => [route, client]),
    [['only', 'VISIONOS']],
  )
  const { rows } = await database.pool.query('select epoch, rested_at from egress_route')
  assert.deepEqual(rows, [{ epoch: 1, rested_at: null }])
})

test('the doctor ends with 0 where all is well and with 1 where nothing delivers', async () => {
  assert.equal((await admin('doctor')).code, 0)
  platform.apply({ faults: [{ do: 'server_error', on: 'player' }] })
  assert.equal((await admin('doctor')).code, 1)
  platform.clear()
})

test('a retired client is told since when, and a new version in the file is used soon', async () => {
  const states = async (): Promise<string[]> => {
    const { clients } = await value('clients')
    return clients.map(
      (each: { name: string; version: string; retiredAt: string | null }) =>
        `${each.name} ${each.version}${each.retiredAt === null ? '' : ' retired'}`,
    )
  }
  const retired = (): Promise<boolean> =>
    states().then((found) => found.includes('ANDROID 21.26.364 retired'))
  assert.equal(await retired(), false)
  platform.apply({ knobs: { clientFloors: { ANDROID: '99.0' } } })
  assert.equal(await delivers(['@dailynotes'], 3), 3)
  await until('it is retired', retired)
  assert.match((await admin('clients')).out, /ANDROID 21\.26\.364, captions: retired since 20/)

  const captions = CLIENT_PROFILES.filter(({ use }) => use === 'captions')
  await writeClients(CLIENT_PROFILES.filter((each) => !captions.slice(1).includes(each)))
  assert.match(await refusal('clients'), /only one client \(VISIONOS\).*two have to say so/)

  const newer = CLIENT_PROFILES.filter(({ name }) => name !== 'VISIONOS').map((each) =>
    each.name === 'ANDROID'
      ? { ...each, context: { ...each.context, clientVersion: '99.1' } }
      : each,
  )
  await writeClients(newer)
  await fetch(`${platform.origin}/emulator/requests`, { method: 'DELETE' })
  const answered = (): boolean =>
    platform.log.recent(50).some(({ client, kind, status }) => {
      return client === 'ANDROID' && kind === 'player' && status === 200
    })
  const isUsed = async (): Promise<boolean> => {
    assert.equal(await delivers(['@dailynotes'], 1), 1, 'meanwhile the old ones stay in use')
    return answered()
  }
  await until('the new version is asked as', isUsed)
  assert.ok((await states()).includes('ANDROID 99.1'))
})

test('field masks that a worker switched off are told by its metrics', async () => {
  const { registry } = worker.context.metrics
  const isOff = (): Promise<string> =>
    registry.getSingleMetricAsString('scriptorium_platform_field_masks_off')
  platform.apply({ faults: [{ do: 'bad_request', on: 'player', masked: true }] })
  assert.match(await isOff(), / 0$/)
  assert.equal(await delivers(['@tallerpequeno'], 2), 2)
  platform.clear()
  assert.match(await isOff(), / 1$/)
})
