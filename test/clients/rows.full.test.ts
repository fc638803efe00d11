/** A job of 1,200 rows, read by both clients while it runs, through a network with faults. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { type Fault, faultyProxy } from '../support/faulty-proxy.ts'
import { holdListsAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'

const PYTHON_FOLDER = path.resolve(import.meta.dirname, '../../clients/python')
/** Channel of 1,200 uploads. */
const CHANNEL = 'https://www.youtube.com/@dailynotes'
const FAULTS: Fault[] = ['none', 'cut before', 'none', 'none', 'cut within', 'none', 'cut after']
const PROGRAM = `
import sys
import scriptorium_client as sc
client = sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2], backoff=0.01, max_retries=9)
for video in client.jobs.results(sys.argv[3]):
    print(video["index"])
`

test('a job of 1,200 rows gives each of them once while it runs', async () => {
  const { platform, address, customer } = await testService({ after })
  let requests = 0
  const proxy = await faultyProxy({ after }, address, {
    choose: () => FAULTS[requests++ % FAULTS.length]!,
  })
  const { apiKey } = await customer('20')
  const client = new Scriptorium({ apiKey, baseUrl: proxy.address, maxRetries: 9, backoffMs: 10 })
  const order = { urls: CHANNEL, formats: ['text' as const] }
  // The third job lists again what was delivered before, beside the rest of the channel.
  for (const _ of ['newest', 'older']) await client.jobs.wait((await client.jobs.start(order)).id)

  holdListsAfter(platform, 1)
  const { id, state } = await client.jobs.start(order)
  assert.ok(state === 'queued' || state === 'running')
  const python = promisify(execFile)('python3', ['-c', PROGRAM, apiKey, proxy.address, id], {
    env: { ...process.env, PYTHONPATH: PYTHON_FOLDER, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const read: number[] = []
  let wasRunning = false
  for await (const { index } of client.jobs.results(id)) {
    if (read.length === 50) {
      wasRunning = !(await client.jobs.get(id)).billing.settled
      platform.clear()
    }
    read.push(index)
  }

  const { total } = await client.jobs.resultsPage(id, { limit: 1 })
  assert.ok(wasRunning, 'the job still ran while it was read')
  assert.ok(total >= 1_150, `${total} rows`)
  assert.deepEqual([read.length, new Set(read).size], [total, total])
  const readByPython = (await python).stdout.trim().split('\n').map(Number)
  assert.deepEqual([readByPython.length, new Set(readByPython).size], [total, total])
})
