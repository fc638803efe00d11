/** Alerts that need no history: a worker judges them as Prometheus does, and mails each cause once a day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { alertWatch, type GaugeLook, isMet } from '../../src/model/operator/alert.ts'
import { MAILED_ALERTS } from '../../src/model/operator/alerts.ts'
import { openDriftWatch } from '../../src/platform/drift/drift-watch.ts'
import { alertStep } from '../../src/worker/mail-alerts.ts'
import { exprOf } from '../../tools/papers/alerts.ts'
import { testDatabase } from '../support/database.ts'
import { query } from '../support/prometheus/query.ts'
import type { Labels, Series } from '../support/prometheus/series.ts'
import { openOperatorsBox } from './operators-box.ts'

const MINUTE_MS = 60_000
const NO_LABELS: Labels = {}
/** Values on both sides of every threshold, and at it. */
const VALUES = [-1, 0, 0.5, 0.51, 0.8, 0.81, 1, 3, 30, 31, 60, 61, 120, 121, 3600, 3601, 1e12]

test('each alert that is mailed holds for the values for which its printed rule does', () => {
  assert.ok(MAILED_ALERTS.length >= 10)
  for (const alert of MAILED_ALERTS) {
    const names = alert.when.flatMap(({ gauge, than }) =>
      typeof than === 'number' ? [gauge] : [gauge, than.gauge],
    )
    const own = Object.entries(alert.when[0].labels ?? {}).map(([label, [value]]) => [label, value])
    const labels = Object.fromEntries(own) as Labels
    const [gauge = '', other = gauge] = names
    let held = 0
    for (const value of VALUES)
      for (const second of VALUES) {
        const look: GaugeLook = new Map([
          [other, [{ value: second, labels: NO_LABELS }]],
          [gauge, [{ value, labels }]],
        ])
        const series: Series[] = [...look].map(([name, [one]]) => ({
          name,
          labels: { ...labels, job: 'scriptorium' },
          points: [{ atMs: 0, value: one?.value ?? 0 }],
        }))
        const holds = alert.when.every((condition) => isMet(condition, look, null))
        const rule = query(exprOf(alert), series, 0).length > 0
        assert.equal(holds, rule, `${alert.name} at ${value} and ${second}: ${exprOf(alert)}`)
        held += Number(holds)
      }
    assert.ok(held > 0 && held < VALUES.length ** 2, `${alert.name} tells values apart`)
  }
})

test('an alert has to last for its minutes, and a value of the minute before counts where the rule says so', () => {
  const gauges = (values: Record<string, number>): GaugeLook =>
    new Map(
      Object.entries(values).map(([name, value]) => [
        `scriptorium_${name}`,
        [{ value, labels: NO_LABELS }],
      ]),
    )
  const names = (looks: GaugeLook[]): string[][] => {
    const firing = alertWatch(MAILED_ALERTS)
    return looks.map((look) => firing(look).map(({ name }) => name.replace('Scriptorium', '')))
  }
  const [late, quiet] = [gauges({ queue_age_seconds: 61 }), gauges({ queue_age_seconds: 60 })]
  assert.deepEqual(names([late, late, quiet, late, late, late, late]), [
    [],
    [],
    [],
    [],
    [],
    ['QueueStands'],
    ['QueueStands'],
  ])
  const rest = gauges({ egress_routes: 2, egress_routes_resting: 2 })
  const used = gauges({ egress_routes: 2, egress_routes_resting: 1 })
  assert.deepEqual(names([rest, used, rest]).at(-1), ['AllRoutesRest'], 'used for a moment')
  assert.deepEqual(names([rest, used, used, rest]).at(-1), [])
  const idle = gauges({ egress_routes: 0, egress_routes_resting: 0 })
  assert.deepEqual(names([idle, idle, idle]).at(-1), [], 'a process without routes')
})

test('operators are mailed each cause once a day, whichever process sees it', async (t) => {
  const database = await testDatabase(t)
  const { db, pool } = database
  const { outbox, operator, taken } = await openOperatorsBox(database)
  let nowMs = Date.UTC(2100, 10, 20, 12) // what is told of a past day is swept
  const worker = () =>
    alertStep(
      { db, outbox, metrics: createMetrics(), watch: openDriftWatch(), now: () => new Date(nowMs) },
      'https://s.example',
    )
  const workers = [worker(), worker()]
  const look = async () => {
    nowMs += MINUTE_MS
    await Promise.all(workers.map((step) => step()))
    return (await taken()).map(({ to, subject }) => `${to} ${subject}`).toSorted()
  }
  await pool.query(
    `insert into payment_event (id, type, created_at, outcome, note)
    values ('e1', 'a type', now(), 'refused', '')`,
  )
  assert.deepEqual(await look(), [], 'nobody is there to be told')

  const ada = await operator('ada@example.org')
  await operator('ben@example.org')
  const placed =
    'Scriptorium needs you: Money that was paid within the last day could not be placed'
  const both = (words: string): string[] => [`ada@example.org ${words}`, `ben@example.org ${words}`]
  assert.deepEqual(await look(), both(placed))
  assert.deepEqual(await look(), [], 'it is told already')

  await pool.query(`update balance set posted_micros = posted_micros + 5 where account_id = $1`, [
    ada,
  ])
  assert.deepEqual(await look(), [], 'the ledger is added up at long intervals')
  nowMs += 5 * MINUTE_MS
  assert.deepEqual(await look(), both('Scriptorium needs you: Balances and ledger entries differ'))

  nowMs += 24 * 60 * MINUTE_MS
  await pool.query(`update account set suspended_at = now() where id = $1`, [ada])
  await pool.query(`update balance set posted_micros = posted_micros - 5 where account_id = $1`, [
    ada,
  ])
  assert.deepEqual(await look(), [`ben@example.org ${placed}`], 'another day, one operator')
})

test('the mail says what to do, where to look and how to turn it off', async (t) => {
  const database = await testDatabase(t)
  const { outbox, operator, taken } = await openOperatorsBox(database)
  await operator('ada@example.org')
  const watch = openDriftWatch()
  const drift = {
    question: 'captions' as const,
    client: 'IOS',
    route: null,
    verdict: 'silent',
    share: 0.9,
    usual: 0.1,
    sinceMs: 0,
  }
  const drifting = { ...watch, drifts: () => [drift], lines: () => ['IOS lists no captions.'] }
  const now = (): Date => new Date(Date.UTC(2100, 10, 20))
  const { db } = database
  const step = alertStep(
    { db, outbox, metrics: createMetrics(), watch: drifting, now },
    'https://s.example',
  )
  await step()
  assert.deepEqual(await taken(), [], 'it has to last for a minute')
  await step()
  const [mail] = await taken()
  assert.equal(mail?.subject, 'Scriptorium needs you: The platform changed')
  assert.equal(mail?.link, 'https://s.example/operator')
  const text = mail?.lines.join('\n') ?? ''
  for (const part of [
    'IOS lists no captions.',
    '`admin doctor`',
    'once a day',
    'ALERT_MAILS=false',
  ])
    assert.ok(text.includes(part), `${part}: ${text}`)
})
