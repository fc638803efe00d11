/** An order that the balance limits: the answer says so in a header, and every client tells its user as before. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { needs } from '../support/needs.ts'
import { sharedService } from '../support/shared-service.ts'
import { cliUser } from './cli-command.ts'

const { address, customer } = await sharedService({ after })
const CHANNEL = 'https://www.youtube.com/@smallworkshop'
const NOTICE =
  'The balance covers 2 of the 500 videos requested; adding $3.983 would cover all of them.'

test('the notice of the balance is a header, and no field of the answer', async () => {
  const buyer = await customer('0.017')
  const { headers, body } = await buyer.asks('POST', '/jobs', { body: { urls: CHANNEL } })
  assert.equal(headers.get('x-balance-notice'), NOTICE)
  assert.deepEqual([body['notices'], body['balanceNotice']], [[NOTICE], undefined])
  assert.match(headers.get('access-control-expose-headers') ?? '', /X-Balance-Notice/)
  await buyer.waitsFor(body)

  const rich = await customer('1')
  const covered = { body: { urls: CHANNEL, maxVideos: 1 } }
  const { headers: others, body: job } = await rich.asks('POST', '/jobs', covered)
  assert.equal(others.get('x-balance-notice'), null)
  await rich.waitsFor(job)
})

test('the client gives the notice with the job that it started', async () => {
  const { apiKey } = await customer('0.017')
  const client = new Scriptorium({ apiKey, baseUrl: address })
  const job = await client.jobs.start({ urls: CHANNEL })
  assert.deepEqual([job.notices, job.balanceNotice], [[NOTICE], NOTICE])
  assert.equal('balanceNotice' in (await client.jobs.wait(job.id)), false)
})

test('the command leaves the notice out at the start, where it may not matter, and tells the others', async () => {
  const { apiKey } = await customer('0.017')
  const user = cliUser({ after }, { SCRIPTORIUM_URL: address, SCRIPTORIUM_API_KEY: apiKey })
  const { stderr } = await user.runs('get', CHANNEL, '--out', 'texts')
  assert.match(stderr, /^Job \S+: at most 2 videos, \$0\.016/m)
  assert.ok(!stderr.includes('The balance covers'), stderr)
})

const PROGRAM = `
import json, sys, scriptorium_client as sc
client = sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2])
job = client.jobs.start(sys.argv[3])
client.jobs.wait(job["id"])
print(json.dumps([job["notices"], job["balanceNotice"]]))
`

test('the Python client gives it, too', needs('python3'), async () => {
  const { apiKey } = await customer('0.017')
  const { stdout } = await promisify(execFile)(
    'python3',
    ['-c', PROGRAM, apiKey, address, CHANNEL],
    {
      env: {
        ...process.env,
        PYTHONPATH: path.resolve(import.meta.dirname, '../../clients/python'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  )
  assert.deepEqual(JSON.parse(stdout), [[NOTICE], NOTICE])
})
