/** What a service says of itself that works in part only. */
import { isDeepStrictEqual } from 'node:util'
import type { Service } from '../../src/serve.ts'
import { until } from '../support/until.ts'

/** Waits until a service, which is ready all the same, names these parts. */
export async function untilDegraded({ address }: Service, parts?: string[]): Promise<void> {
  await until(`/readyz names ${parts?.join(', ') ?? 'nothing'}`, async () => {
    const ready = await fetch(`${address}/readyz`)
    const { degraded } = (await ready.json()) as { degraded?: string[] }
    return ready.status === 200 && isDeepStrictEqual(degraded, parts)
  })
}
