/** Tables for spreadsheets that expect semicolons: every route that answers CSV takes the wish, and keeps each cell. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { EXPORTS } from '../../src/model/files/catalogue.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer } = await sharedService({ after })
const channel = platform.world.channel('small')
const oddTitles = ['title-quotes', 'title-formula', 'both'].map((key) => {
  return `https://youtu.be/${platform.world.special(key).videoId}`
})

/** Tables of a program's own form, which has its own separator. */
const OF_PROGRAMS: readonly string[] = Object.values(EXPORTS).flatMap((row) =>
  'tool' in row ? row.operationId : [],
)

/** Addresses of each operation that answers a table. */
const ADDRESSES: Record<string, (at: { jobId: string; batchId: string }) => string[]> = {
  getBatchFile: ({ batchId }) => [`/batches/${batchId}/files/report.csv`],
  getFile: ({ jobId }) =>
    ['', '?texts=all'].map((texts) => `/jobs/${jobId}/files/report.csv${texts}`),
  getSelectionFile: ({ jobId }) => [`/library/selection/files/report.csv?jobs=${jobId}`],
  getCollectionFile: () => [`/library/${channel.channelId}/files/report.csv`],
  getMentionsCsv: () => ['/search/mentions.csv?q=the'],
}

type Operation = { operationId: string; parameters?: Json[]; responses: Json }

test('each operation that answers CSV takes a separator, and its tables are the same, cell for cell', async () => {
  const buyer = await customer('1')
  const described = await buyer.gets('/openapi.json')
  const operations = Object.values(described['paths'] as Json)
    .flatMap((methods: Json) => Object.values(methods) as Operation[])
    .filter(({ responses }) => responses?.['200']?.content?.['text/csv'] !== undefined)
    .filter(({ operationId }) => !OF_PROGRAMS.includes(operationId))
  const ids = operations.map(({ operationId }) => operationId)
  assert.deepEqual([...new Set(ids)].sort(), Object.keys(ADDRESSES).sort())

  const { job } = await buyer.orders({ urls: [channel.handle, ...oddTitles], maxVideos: 8 })
  const { body: batch } = await buyer.asks('POST', '/batches', { body: { urls: oddTitles } })
  while ((await buyer.gets(`/batches/${batch.id}`)).state === 'running');
  for (const { operationId, parameters = [] } of operations) {
    const names = parameters.map((one) => one['name'] ?? String(one['$ref']).split('/').at(-1))
    assert.ok(names.includes('separator'), `${operationId}: ${names}`)
    for (const address of ADDRESSES[operationId]!({ jobId: job['id'], batchId: batch.id })) {
      const read = async (separator: string, delimiter: string): Promise<Json[]> => {
        const path = `${address}${address.includes('?') ? '&' : '?'}separator=${separator}`
        return parse(await buyer.downloads(path), { bom: true, columns: true, delimiter })
      }
      const [plain, other] = [await read('comma', ','), await read('semicolon', ';')]
      assert.ok(plain.length > 0, address)
      const decimals = plain.map((row) =>
        'chargedUsd' in row ? { ...row, chargedUsd: row['chargedUsd'].replace('.', ',') } : row,
      )
      assert.deepEqual(other, decimals, address)
      assert.deepEqual(
        await buyer.downloads(address),
        await buyer.downloads(`${address}${address.includes('?') ? '&' : '?'}separator=comma`),
      )
      const refused = await buyer.asks('GET', `${address.split('?')[0]}?q=the&separator=tab`)
      assert.deepEqual([refused.status, refused.headers.get('x-invalid-field')], [400, 'separator'])
    }
  }
})
