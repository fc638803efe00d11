/** What nobody sees is no word: nobody pays for it, and nothing is called or found by it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { truthOfVideo } from '../../emulator/truth.ts'
import { sharedService } from '../support/shared-service.ts'

const { customer, platform } = await sharedService({ after })
const buyer = await customer('5')

test('captions that hold nothing but invisible marks are not delivered, and cost nothing', async () => {
  const [blank, marked] = ['marks-only', 'marks-around'].map((key) => platform.world.special(key))
  const urls = [blank, marked].map((video) => `https://youtu.be/${video?.videoId}`)
  const { job, rows } = await buyer.orders({ urls })
  assert.equal(job.state, 'finished', job.error)
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['blocked_suspect', 'success'],
  )
  assert.equal(job.billing.charged, '0.008')
  const [track] = truthOfVideo(platform.world, marked!).tracks
  assert.deepEqual(rows[1]?.segments, track?.segments)

  for (const q of ['\u200e', ' \u2800', '\u3164'].map(encodeURIComponent)) {
    const { status, body } = await buyer.asks('GET', `/jobs/${job.id}/results?q=${q}`)
    assert.deepEqual([status, body.total], [200, 2], `${q} narrows nothing`)
    const search = await buyer.asks('GET', `/search?q=${q}`)
    assert.equal(search.status, 400)
    assert.match(search.body.error.message, /no word to look for/)
  }
})

test('lines of invisible marks alone are blank lines', async () => {
  const { status, body } = await buyer.asks('POST', '/jobs', {
    body: { urls: '\u200e\n\u2800\u2060 \n' },
  })
  assert.equal(status, 400)
  assert.match(body.error.message, /urls has only blank lines/)
})
