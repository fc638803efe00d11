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
})
