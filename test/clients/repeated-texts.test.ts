/** Texts that the account has already are read in pages, not one by one, whichever order brought them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { truthOf } from '../../emulator/truth.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { needs } from '../support/needs.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, address, customer, database } = await sharedService({ after })
const { videos } = truthOf(platform.world, { limit: 10_000 })
const [OTHER = '', ...captioned] = videos
  .filter(({ status }) => status === 'success')
  .map(({ videoId }) => videoId)
const lines = captioned.slice(0, 40)

/** Requests that the client sent, without the job that it asked for. */
const requests: string[] = []
/** Whether the service is one of an earlier release, which passes over the parameter. */
let isEarlier = false
const proxy = await faultyProxy({ after }, address, {
  choose(request) {
    const { method, url = '' } = request
    const [place = '', query = ''] = url.replace('/api/v1', '').split('?')
    if (isEarlier) request.url = url.replace('include=textRow', 'unknown=word')
    requests.push(`${method} ${place.replace(/[\da-f-]{36}/, 'ID')}?${query}`)
    return 'none'
  },
})

const PROGRAM = `
import json, sys
import scriptorium_client as sc
client = sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2])
skipped = []
texts = {v["videoId"]: v["text"] for v in client.transcripts(json.loads(sys.argv[3]), on_skipped=skipped.append)}
print(json.dumps([texts, [v["status"] for v in skipped]]))
`

type Read = { texts: Record<string, string>; skipped: string[] }
type Reads = (apiKey: string, urls: readonly string[]) => Promise<Read>

async function byTypeScript(apiKey: string, urls: readonly string[]): Promise<Read> {
  const client = new Scriptorium({ apiKey, baseUrl: proxy.address })
  const read: Read = { texts: {}, skipped: [] }
  const onSkipped = ({ status }: { status: string }): void => void read.skipped.push(status)
  for await (const { videoId, text } of client.transcripts([...urls], { onSkipped }))
    read.texts[videoId] = text
  return read
}

async function byPython(apiKey: string, urls: readonly string[]): Promise<Read> {
  const folder = path.resolve(import.meta.dirname, '../../clients/python')
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' }
  const args = ['-c', PROGRAM, apiKey, proxy.address, JSON.stringify(urls)]
  const { stdout } = await promisify(execFile)('python3', args, { env, maxBuffer: 50_000_000 })
  const [texts, skipped] = JSON.parse(stdout) as [Read['texts'], string[]]
  return { texts, skipped }
}

/** Requests for texts that the account has already: those after the job itself was read. */
const forTexts = (): string[] =>
  requests.slice(requests.findLastIndex((one) => one.includes('ID?view=named')) + 1)

for (const [name, reads, skip] of [
  ['the TypeScript client', byTypeScript, {}],
  ['the Python client', byPython, needs('python3')],
] as [string, Reads, object][])
  test(
    `${name} asks for a page of texts, from a repeat, another list and a service of before`,
    skip,
    async () => {
      const buyer = await customer('10')
      isEarlier = false
      const first = await reads(buyer.apiKey, lines)
      assert.equal(Object.keys(first.texts).length, lines.length)
      const half = lines.slice(0, 20)

      // Two orders hold the texts of the last one.
      for (const [urls, pagesMax] of [
        [lines, 1],
        [[...half, OTHER], 1],
        [[...half, OTHER], 2],
      ] as const) {
        requests.length = 0
        const { texts } = await reads(buyer.apiKey, urls)
        for (const id of urls) if (id !== OTHER) assert.equal(texts[id], first.texts[id])
        assert.equal(Object.keys(texts).length, urls.length)
        const asked = forTexts().join('\n')
        assert.match(asked, /^(GET \/jobs\/ID\/results\?.*\n?)+$/)
        assert.equal(forTexts().length, pagesMax, asked)
      }

      isEarlier = true
      requests.length = 0
      const { texts } = await reads(buyer.apiKey, [...half, OTHER])
      assert.equal(Object.keys(texts).length, half.length + 1)
      assert.ok(forTexts().length < 8, forTexts().join('\n'))

      isEarlier = false
      await database.pool.query('update job set texts_deleted_at = now() where account_id = $1', [
        buyer.accountId,
      ])
      requests.length = 0
      const gone = await reads(buyer.apiKey, lines)
      assert.deepEqual(gone, { texts: {}, skipped: lines.map(() => 'unchanged') })
      assert.deepEqual(forTexts(), [])
    },
  )
