/** The setting WORD_TIMES=false keeps no times of words; all else that comes with captions is kept. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'

const { customer } = await testService({ after }, { env: { WORD_TIMES: 'false' } })

test('an operator may keep no times of words', async () => {
  const buyer = await customer('1')
  const { job, rows } = await buyer.orders({ urls: ['@dailynotes'], maxVideos: 6 })
  const automatic = rows.filter(({ trackKind }) => trackKind === 'asr')
  assert.ok(automatic.length > 0, 'the channel has automatic captions')
  for (const { index } of automatic) {
    const row = await buyer.gets(`/jobs/${job['id']}/videos/${index}`)
    assert.equal(row['hasWordTimes'], false)
    assert.match(row['source'].sha256, /^[0-9a-f]{64}$/)
    assert.ok(row['tracks'].length > 0)
  }
})
