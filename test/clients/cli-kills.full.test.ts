/**
 * `get` is ended at eight moments, by kill -9 and Ctrl-C, each when one of its requests comes by: the same command goes
 * on every time, and every video is bought and written once. By night it is ended at fifty random moments.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Fault, faultyProxy } from '../support/faulty-proxy.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { cliUser } from './cli-command.ts'
import {
  checkPurchases,
  COMMAND,
  type Moment,
  momentOf,
  openOrder,
  untilComplete,
} from './killed-orders.ts'

const ORDER = /^POST .*\/jobs(?:\?|$)/
const LOOK = /^GET .*\/jobs\/[^/]+\?wait=\d+(?:&|$)/
const FILES = /^GET .*\/files\/zip/

type Kill = { at: RegExp; signal: NodeJS.Signals; request: Fault; meets: Moment }

const OF_FIRST_ORDER: Kill[] = [
  { at: ORDER, signal: 'SIGKILL', request: 'cut before', meets: 'order without answer' },
  { at: ORDER, signal: 'SIGINT', request: 'cut before', meets: 'order without answer' },
  { at: ORDER, signal: 'SIGKILL', request: 'none', meets: 'order without answer' },
  { at: LOOK, signal: 'SIGKILL', request: 'none', meets: 'job running' },
  { at: LOOK, signal: 'SIGINT', request: 'cut within', meets: 'job running' },
]
const OF_FILES: Kill[] = [
  { at: FILES, signal: 'SIGKILL', request: 'none', meets: 'job final' },
  { at: FILES, signal: 'SIGINT', request: 'cut within', meets: 'job final' },
]
const OF_SECOND_ORDER: Kill[] = [
  { at: ORDER, signal: 'SIGINT', request: 'cut after', meets: 'order without answer' },
]

test('killed at any moment, the same command goes on and buys nothing twice', async () => {
  const { platform, address, customer } = await testService({ after }, { env: { JOB_VIDEOS: '1' } })
  const buyer = await customer('100')
  let onRequest: (request: string) => Fault = () => 'none'
  const proxy = await faultyProxy({ after }, address, {
    choose: ({ method, url }) => onRequest(`${method} ${url}`),
  })
  const user = cliUser(
    { after },
    { SCRIPTORIUM_URL: proxy.address, SCRIPTORIUM_API_KEY: buyer.apiKey },
  )
  const killsAt = async ({ at, signal, request, meets }: Kill): Promise<void> => {
    const { child, ended } = user.starts(...COMMAND)
    onRequest = (line) => {
      if (!at.test(line)) return 'none'
      child.kill(signal)
      return request
    }
    const { signal: by, code, stderr } = await ended
    onRequest = () => 'none'
    assert.ok(by === signal || code === 130, `${at} ${signal}: ${code} ${stderr}`)
    assert.equal(await momentOf(user, buyer), meets, `${at} ${signal}`)
  }

  holdAfter(platform, 0)
  for (const kill of OF_FIRST_ORDER) await killsAt(kill)
  platform.clear()
  for (const kill of OF_FILES) await killsAt(kill)
  await untilComplete(user)
  assert.equal(openOrder(user), null)
  for (const kill of OF_SECOND_ORDER) await killsAt(kill)
  await untilComplete(user)
  await checkPurchases(user, buyer, { jobs: 2 })
})
