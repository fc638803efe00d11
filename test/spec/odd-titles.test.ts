/** Odd titles: none of them may keep a job from ending well. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'

const { customer } = await sharedService({ after })

test('a channel whose titles hold control characters, markup and formulas is delivered', async () => {
  const buyer = await customer('5')
  const { job, rows } = await buyer.orders({ urls: '@captionlab' })
  assert.equal(job.state, 'finished', job.error)
  const titles = rows.map((row) => String(row.title))
  assert.ok(
    titles.some((title) => title.includes('bell\u0007, and a  zero')),
    'a zero character is left out',
  )
  assert.ok(titles.includes('<script>alert(1)</script> & <b>bold</b>'), 'markup stays text')
})
