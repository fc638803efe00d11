/** Orders of more than a job may have, by both clients: one call, one price, nothing twice. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { BatchStoppedError, Scriptorium, type Video } from '../../clients/typescript/src/index.ts'
import { needs } from '../support/needs.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer, address } = await sharedService({ after })
const { world } = platform
const SIXTY = uploadsOf(world, world.channel('medium')).slice(0, 60)
const IDS = SIXTY.map(({ videoId }) => videoId)
const TEXTS = SIXTY.filter(({ status }) => status === 'success').map(({ videoId }) => videoId)
const COST = TEXTS.length * 0.008
const LINES = IDS.join('\n')

const PYTHON = `
import json, sys
import scriptorium_client as sc

client = sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2])
ids = sys.argv[3].split()
def run(urls):
    told, texts, reading = [], [], client.transcripts(urls, on_skipped=lambda video: told.append(video["videoId"]))
    while True:
        try:
            texts.append(next(reading)["videoId"])
        except StopIteration as end:
            return {"texts": texts, "told": told, "last": end.value["id"]}
seen = {"first": run(ids), "again": run("\\n".join(ids))}
seen["batches"] = [[one["lines"], one["state"], [job["id"] for job in one["jobs"]]] for one in client.batches.all()]
newest = client.batches.list(limit=1)["batches"][0]["id"]
seen["name"] = client.batches.change(newest, name="Sixty")["title"]
try:
    client.batches.resume(newest)
except sc.InvalidRequestError as error:
    seen["refusal"] = error.field
print(json.dumps(seen))
`

test('sixty lines come from one call, in order, and again for nothing', async () => {
  const { apiKey } = await customer('10')
  const client = new Scriptorium({ apiKey, baseUrl: address })
  const run = async (urls: string | string[]) => {
    const told: Video[] = []
    const onSkipped = (video: Video): void => void told.push(video)
    const reading = client.transcripts(urls, { onSkipped })
    const texts: string[] = []
    for (;;) {
      const { done, value } = await reading.next()
      if (done === true) return { texts, told, last: value }
      texts.push(value.videoId)
    }
  }
  const first = await run(IDS)
  assert.deepEqual(first.texts.toSorted(), TEXTS.toSorted())
  assert.equal(first.told.length, IDS.length - TEXTS.length)
  const [batch] = (await client.batches.list()).batches
  assert.deepEqual([batch!.lines, batch!.state, batch!.jobs.length], [60, 'finished', 2])
  assert.equal(first.last.id, batch!.jobs[1]!.id)
  const { balance: left } = await client.balance()
  assert.equal(left, (10 - COST).toFixed(3))
  const again = await run(LINES)
  assert.deepEqual(again.texts.toSorted(), TEXTS.toSorted())
  assert.equal((await client.balance()).balance, left)
  await assert.rejects(run(Array.from({ length: 1_001 }, (_, at) => `@a${at}`)), /at most 1000/)
  await assert.rejects(run([...IDS, 'https://example.org/']), /Line 61/)
})

test('a batch that stops ends the call with what it says', async () => {
  const { apiKey } = await customer('0.080')
  const client = new Scriptorium({ apiKey, baseUrl: address })
  const texts: string[] = []
  await assert.rejects(
    async () => {
      for await (const { videoId } of client.transcripts(IDS)) texts.push(videoId)
    },
    (error) => error instanceof BatchStoppedError && /Add credit/.test(error.message),
  )
  assert.ok(texts.length > 0 && texts.length <= 10)
})

test('the Python client does the same', needs('python3'), async () => {
  const { apiKey } = await customer('10')
  const folder = path.resolve(import.meta.dirname, '../../clients/python')
  const { stdout } = await promisify(execFile)(
    'python3',
    ['-c', PYTHON, apiKey, address, IDS.join(' ')],
    { env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' } },
  )
  const seen = JSON.parse(stdout)
  for (const run of [seen.first, seen.again]) {
    assert.deepEqual(run.texts.toSorted(), TEXTS.toSorted())
    assert.equal(run.told.length, IDS.length - TEXTS.length)
  }
  const [again, first] = seen.batches
  assert.deepEqual([first[0], first[1], first[2].length], [60, 'finished', 2])
  assert.deepEqual([seen.first.last, seen.again.last], [first[2].at(-1), again[2].at(-1)])
  assert.deepEqual([seen.name, seen.refusal], ['Sixty', 'state'])
  const client = new Scriptorium({ apiKey, baseUrl: address })
  assert.equal((await client.balance()).balance, (10 - COST).toFixed(3))
})
