/** Videos that are refused for now are found later, without a job that brings nothing in between. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import { testService } from '../support/service.ts'
import { deliveredBy, follows, read, stops } from './customers.ts'
import { movableClock, passHours, untilQuiet } from './time.ts'

const HOUR = 3_600_000
const DAY = 24

const clock = movableClock()
const at = await testService({ after }, { emulator: { now: clock.now } })
const { world } = at.platform
const list = world.playlist('fornow')
const url = `https://www.youtube.com/playlist?list=${list.playlistId}`
const idOf = (key: string): string => world.special(key).videoId

test('what is for members first, private, translated first or premieres in 40 days is found when it opens', async () => {
  at.platform.clear()
  const customer = await at.customer('1')
  const made = await follows(customer, url, { monthlyCap: '1', backlog: list.length })
  await untilQuiet(at)
  for (let day = 0; day < 7; day += 1) await hoursPass(DAY)
  assert.equal((await jobsOf(customer)).length, 1, 'the first job alone')

  at.platform.apply({ knobs: { areOpened: true } })
  for (let day = 0; day < 2; day += 1) await hoursPass(DAY)
  const three = ['members-first', 'private-first', 'translation-first'].map(idOf)
  const { jobs } = await read(customer, made)
  assert.deepEqual((await deliveredBy(customer, jobs)).toSorted(), three.toSorted())

  const questions = at.platform.log.counts().byKind['player'] ?? 0
  for (let day = 0; day < 29; day += 1) await hoursPass(DAY)
  assert.equal(at.platform.log.counts().byKind['player'] ?? 0, questions, 'it is left alone')
  for (let day = 0; day < 6; day += 1) await hoursPass(DAY)
  const all = await deliveredBy(customer, (await read(customer, made))['jobs'])
  assert.deepEqual(all.toSorted(), [...three, idOf('premiere-far')].toSorted())
  const inVain = (await jobsOf(customer)).filter(({ progress }) => progress.delivered === 0)
  assert.equal(inVain.length, 1)
  await stops(customer, made)
})

test('what the list still marks as for members is not asked for, and what is asked for is counted', async () => {
  at.platform.clear()
  const customer = await at.customer('1')
  const made = await follows(customer, url, { monthlyCap: '1', backlog: list.length })
  await untilQuiet(at)
  const members = idOf('members-first')
  const asked = (): string[] => at.platform.log.recent(10_000).map(({ videoId }) => videoId)
  at.platform.log.reset()
  for (let day = 0; day < 4; day += 1) await hoursPass(DAY)
  assert.ok(asked().includes(idOf('private-first')) && !asked().includes(members))
  const { rows } = await at.database.pool.query<{ listing: number }>(
    `select listing from free_calls f join account a on f.account_id = coalesce(a.beneficiary, a.id) where a.id = $1`,
    [customer.accountId],
  )
  const { browse = 0, player = 0 } = at.platform.log.counts().byKind
  assert.ok(player > 10 && (rows[0]?.listing ?? 0) >= browse + player, 'each question is a call')
  await stops(customer, made)
})

async function jobsOf(customer: Customer) {
  return (await customer.gets('/jobs?limit=50'))['jobs'] as { progress: { delivered: number } }[]
}

async function hoursPass(hours: number): Promise<void> {
  await passHours(at, clock, hours * HOUR)
  await untilQuiet(at)
}
