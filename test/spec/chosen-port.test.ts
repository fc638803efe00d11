/** A port that the system chooses (PORT=0): links carry it, and the service listens there until it has stopped. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'

const { address, another } = await testService({ after }, { env: { ROLES: 'api' } })

for (const host of ['127.0.0.1', 'localhost']) {
  test(`on ${host}`, async () => {
    const one = await another({ HOST: host })
    const [own, other] = [new URL(one.address ?? ''), new URL(address)]
    assert.equal(own.hostname, host)
    assert.notEqual(own.port, other.port)
    const description = await (await fetch(new URL('/api/v1/openapi.json', own))).json()
    const [server] = (description as { servers: { url: string }[] }).servers
    assert.equal(server?.url, `http://localhost:${own.port}/api/v1`)
    await one.close()
    await assert.rejects(fetch(own), 'nobody listens any more')
    assert.equal((await fetch(new URL('/healthz', other))).status, 200)
  })
}
