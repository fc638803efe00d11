/**
 * `npm run print -- --examples`: records the examples of the OpenAPI document. The real service stands beside the
 * platform's stand-in, and customers ask it.
 */
import type { World } from '../../emulator/world.ts'
import { PRINTED_ADDRESS } from '../../src/api/documents/printed.ts'
import { testService } from '../../test/support/service.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { walk } from './example-walk.ts'
import type { Examples } from './examples.ts'
import { BEGUN_MS, steadies } from './steady.ts'
import { walkerOf } from './walker.ts'

/** The newest uploads of the platform are a day older than the recording. */
const NEWEST_AT = new Date(BEGUN_MS - 86_400_000).toISOString()
/** Where the receiver of webhooks seems to stand. */
const HOOK_URL = 'https://example.org/hooks/scriptorium'
const FIRST_CREDIT_USD = '0.024'
/** Channels whose dates of publication are in the examples. */
const CHANNELS = ['small', 'shortsonly', 'cutgrid']

/** Returns a new recording, which is the same as every other of the same service. */
export async function record(): Promise<Examples> {
  const ends: (() => Promise<void>)[] = []
  const scope = { after: (end: () => Promise<void>) => void ends.unshift(end) }
  const begunMs = Date.now()
  const now = (): number => BEGUN_MS + Date.now() - begunMs
  // One video after the other, so that it is always the same that waits.
  const env = { PUBLIC_URL: PRINTED_ADDRESS, WEBHOOK_ALLOW_PRIVATE: 'true', JOB_VIDEOS: '1' }
  try {
    const service = await testService(scope, { env, emulator: { now, newestAt: NEWEST_AT } })
    const receiver = await startReceiver(scope)
    const customer = await service.customer(FIRST_CREDIT_USD)
    const steady = steadies(datesOf(service.platform.world), [[receiver.url, HOOK_URL]])
    const examples: Examples = {}
    await walk(await walkerOf({ service, customer, receiver, steady, examples }))
    return examples
  } finally {
    for (const end of ends) await end()
  }
}

/** Returns whether an instant is a date of publication. */
function datesOf(world: World): (ms: number) => boolean {
  const dates = new Set(
    CHANNELS.map((key) => world.uploads(world.channel(key), null)).flatMap((list) =>
      Array.from({ length: list.length }, (_, at) => list.at(at).publishedMs),
    ),
  )
  return (ms) => dates.has(ms)
}
