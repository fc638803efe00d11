/** The conformance kit against the service: every rule of the contract is a test here. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Description } from '../../tools/conformance/description.ts'
import { closeConnections } from '../../tools/conformance/http.ts'
import { Kit } from '../../tools/conformance/kit.ts'
import { judge } from '../../tools/conformance/rule.ts'
import { RULES } from '../../tools/conformance/rules.ts'
import { truthOf } from '../../emulator/truth.ts'
import { sharedService } from '../support/shared-service.ts'
import { fillBuckets } from '../support/rate-limits.ts'

const { database, platform, address, customer } = await sharedService({ after })
after(closeConnections)

const { videos } = truthOf(platform.world, { limit: 200 })
const videoIds = videos
  .filter(({ status }) => status === 'success')
  .slice(0, 2)
  .map(({ videoId }) => videoId)
const [first, second, empty, small] = [
  await customer('10', { isLimited: true }),
  await customer('1'),
  await customer('0.007'),
  await customer('0.02'),
]
const baseUrl = `${address}/api/v1`
const kit = new Kit({
  baseUrl,
  apiKeys: [first.apiKey],
  secondKey: second.apiKey,
  emptyKey: empty.apiKey,
  smallKey: small.apiKey,
  videoIds,
  // Waiting a minute would test nothing: the bucket is filled as time would fill it.
  wait: () => fillBuckets(database.pool),
})
kit.description = new Description(await kit.get('/openapi.json', { key: null }), baseUrl)

for (const rule of RULES) {
  test(rule.says, async () => {
    const { outcome, error } = await judge(kit, rule)
    if (error !== null) throw error
    assert.equal(outcome, 'kept')
  })
}
