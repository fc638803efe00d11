/** What tables of data and spreadsheets take of a job and of a collection: a line for each video, and the report. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer } = await sharedService({ after })
const channel = platform.world.channel('small')

test('a line of JSON for each video, and a report that spreadsheets read as UTF-8', async () => {
  const buyer = await customer('1')
  const { job, rows } = await buyer.orders({
    urls: [`https://www.youtube.com/${channel.handle}`],
    maxVideos: 5,
  })
  const read = async (path: string) => (await buyer.downloads(path)).toString()
  const ofJob = `/jobs/${job['id']}`
  const ofChannel = `/library/${channel.channelId}`

  const written = await read(`${ofJob}/export.videos.jsonl`)
  const lines = written.split('\n')
  assert.equal(lines.pop(), '')
  const delivered = rows.filter(({ status }) => status === 'success')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as Json),
    delivered.map(({ videoId, title, url, channelName, publishedAt, languageCode, ...row }) => {
      const { trackKind, text } = row
      return { videoId, title, url, channelName, publishedAt, languageCode, trackKind, text }
    }),
  )
  const ofList = (await read(`${ofChannel}/files/export.videos.jsonl`)).trimEnd().split('\n')
  assert.deepEqual(ofList.toSorted(), lines.toSorted())

  for (const report of [`${ofJob}/files/report.csv`, `${ofChannel}/files/report.csv`]) {
    const plain = await read(report)
    assert.notEqual(plain[0], '\ufeff', report)
    assert.equal(await read(`${report}?bom=1`), `\ufeff${plain}`, report)
  }
})
