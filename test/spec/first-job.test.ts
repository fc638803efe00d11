/** The main road: a job over videos of every outcome, from request to charge. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { truthOf } from '../../emulator/truth.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer } = await sharedService({ after })

test('a job delivers what the platform publishes and charges exactly that', async () => {
  const buyer = await customer('1')
  const { videos } = truthOf(platform.world, { limit: 50 })
  const { job, rows } = await buyer.orders({ urls: videos.map((video) => video.videoId) })

  assert.equal(job.state, 'finished')
  for (const [index, row] of rows.entries()) {
    assert.equal(row.index, index + 1)
    assert.equal(row.status, videos[index]?.status, `${row.videoId}: ${row.errorMessage}`)
  }
  const delivered = rows.filter((row) => row.status === 'success').length
  assert.ok(delivered > 0)
  assert.equal(job.billing.chargedTranscripts, delivered)
  assert.equal(await buyer.balance(), (1 - delivered * 0.008).toFixed(3))
})
