/** The file of client profiles while a process runs: a valid change is used, a wrong one is logged once. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Logger } from 'pino'
import { until } from '../../../test/support/until.ts'
import { readClients, watchClients } from './settings.ts'
import { CLIENT_PROFILES, type ClientProfile } from './clients.ts'

test('a changed file is used, a wrong or missing one is logged once and changes nothing', async (t) => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-clients-'))
  const file = path.join(folder, 'clients.json')
  /** Puts a whole file in place of the one before: a file that is being written may be read half. */
  async function put(content: string): Promise<void> {
    await fs.writeFile(`${file}.new`, content)
    await fs.rename(`${file}.new`, file)
  }
  const write = (profiles: readonly ClientProfile[]): Promise<void> => put(JSON.stringify(profiles))
  const [used, logged]: [number[], string[]] = [[], []]
  const log = {
    info: () => logged.push('used'),
    error: ({ reason }: { reason: string }) => logged.push(reason),
  } as unknown as Logger
  await write(CLIENT_PROFILES)
  const config = { PLATFORM_CLIENTS: file, PLATFORM_CLIENTS_KEY: null, DATA_DIR: folder }
  const end = watchClients(config, {
    inUse: await readClients(config, new AbortController().signal),
    log,
    everyMs: 1,
    use: (profiles) => used.push(profiles.length),
  })
  t.after(async () => {
    end()
    await fs.rm(folder, { recursive: true })
  })
  const logs = (count: number): Promise<number> =>
    until(`${count} lines`, () => logged.length === count)

  await write(CLIENT_PROFILES.filter(({ name }) => name !== 'IOS'))
  await logs(1)
  await put('[')
  await logs(2)
  await fs.rename(file, `${file}.old`)
  await logs(3)
  await write(CLIENT_PROFILES)
  await logs(4)
  assert.deepEqual(used, [CLIENT_PROFILES.length - 1, CLIENT_PROFILES.length])
  assert.deepEqual([logged[0], logged[3]], ['used', 'used'])
  assert.match(logged[1] ?? '', /the file is not JSON/)
  assert.match(logged[2] ?? '', /cannot be read/)
})
