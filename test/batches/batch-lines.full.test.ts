/** Lines of a batch, as its customer sees them before and after. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { platform, customer } = await testService({ after })
const { world } = platform

test('a line that a batch does not come to is named before it is ordered and after', async () => {
  const buyer = await customer('10')
  const urls = [world.channel('medium').handle!, world.channel('small').handle!]
  for (const maxVideos of [20, 600, 20_000]) {
    const { body } = await buyer.asks('POST', '/previews', {
      body: { urls, maxVideos },
      headers: { prefer: 'wait=30' },
    })
    const [first, second] = body['sources']
    const of = (line: Json): number => Math.min(line['videos'], maxVideos)
    assert.equal(first['wouldTake'], of(first))
    const rest = Math.min(second['videos'], maxVideos - first['wouldTake'])
    assert.equal(second['wouldTake'], rest, `of ${maxVideos}`)
    const isMissed = body['notices'].some((notice: string) =>
      notice.startsWith(`Nothing of ${second['title']} (${second['videos']} videos): the lines`),
    )
    assert.equal(isMissed, rest === 0)
  }
  const { body: made } = await buyer.asks('POST', '/batches', { body: { urls, maxVideos: 20 } })
  let ended: Json = {}
  await until('the batch has ended', async () => {
    ended = await buyer.gets(`/batches/${made['id']}`)
    return ended['state'] !== 'running'
  })
  const [first, second] = ended['sources']
  assert.deepEqual([first['state'], first['taken']], ['part', 20])
  assert.equal(first['left'], first['videos'] - 20)
  assert.deepEqual([second['state'], second['title'], second['taken']], ['not_reached', null, 0])
  assert.equal(
    ended['notice'],
    `Limit of 20 videos reached. Not reached: ${urls[1]}. Read in part: ${first['title']}. ` +
      'Order the same lines again to get the rest.',
  )
})
