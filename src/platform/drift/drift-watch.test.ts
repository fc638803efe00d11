/** The drift watch keeps a bounded amount, and no source alone raises an alarm. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { ClientReading, Visit } from '../../model/platform/visit.ts'
import { type DriftWatch, openDriftWatch } from './drift-watch.ts'

const reading = fc.record<ClientReading>({
  client: fc.constantFrom('VISIONOS', 'ANDROID', 'IOS'),
  verdict: fc.constantFrom('delivered', 'no_captions', 'not_available', 'unknown', 'withheld'),
  blame: fc.constantFrom('video', 'client', 'nobody'),
})

const visit = (subject: string): fc.Arbitrary<Visit> =>
  fc.record({
    question: fc.constant('captions' as const),
    route: fc.constantFrom('one', 'two'),
    epoch: fc.nat(3),
    subject: fc.constant(subject),
    channel: fc.constant('a channel'),
    accountId: fc.constantFrom('a', 'b'),
    readings: fc.array(reading, { minLength: 1, maxLength: 3 }),
    delivered: fc.constantFrom(null, 'ANDROID'),
    atMs: fc.nat(3_600_000),
  })

test('one video alone raises no alarm, however often it is asked for and whatever comes', () => {
  fc.assert(
    fc.property(fc.array(visit('one video'), { maxLength: 300 }), (visits) => {
      const watch = openDriftWatch()
      for (const each of visits) assert.deepEqual(watch.note(each), [])
      assert.deepEqual(watch.lines(), [])
    }),
    { numRuns: 50 },
  )
})

test('what is kept is bounded, whatever the platform invents', () => {
  const watch = openDriftWatch()
  for (let n = 0; n < 5_000; n += 1)
    watch.note({
      question: 'captions',
      route: `route-${n}`,
      epoch: n,
      subject: `video ${n}`,
      channel: `channel ${n}`,
      accountId: `account ${n}`,
      readings: [{ client: `CLIENT_${n % 100}`, verdict: `verdict ${n}`, blame: 'nobody' }],
      delivered: null,
      atMs: n,
    })
  assert.ok(watch.shares().length < 10_000, `${watch.shares().length} shares`)
})

function ask(watch: DriftWatch, verdicts: Record<string, string>, times: number): string[] {
  const readings = Object.entries(verdicts).map(([client, verdict]): ClientReading => ({
    client,
    verdict,
    blame: verdict === 'delivered' ? 'video' : 'client',
  }))
  const [route, epoch, accountId] = ['one', 1, 'account']
  const last = readings.at(-1)
  const delivered = last?.verdict === 'delivered' ? last.client : null
  const visits = Array.from({ length: times }, (_, atMs): Visit => {
    const of = { subject: `video ${atMs}`, channel: `channel ${atMs}`, accountId, atMs }
    return { question: 'captions', route, epoch, readings, delivered, ...of }
  })
  return visits.flatMap((visit) => watch.note(visit))
}

test('a client that fails where another one delivers is told with its name, and goes last', () => {
  const watch = openDriftWatch()
  assert.deepEqual(ask(watch, { VISIONOS: 'withheld', ANDROID: 'delivered' }, 6), ['VISIONOS'])
  assert.deepEqual(
    watch.drifts().map(({ client, route, verdict }) => [client, route, verdict]),
    [['VISIONOS', null, 'withheld']],
  )
})

test('a refusal or a cause of one client where another one delivers is told of that client, not of the route', () => {
  for (const [verdict, blame, line] of [
    ['region_blocked', 'video', /VISIONOS, .*: refusals are named for what others deliver/],
    ['forbidden', 'route', /VISIONOS, .*: requests are refused \(403\)/],
  ] as const) {
    const watch = openDriftWatch()
    for (let n = 0; n < 40; n += 1)
      watch.note({
        question: 'captions',
        route: 'direct',
        epoch: 1,
        subject: `video ${n}`,
        channel: `channel ${n}`,
        accountId: 'account',
        readings: [
          { client: 'VISIONOS', verdict, blame },
          { client: 'ANDROID', verdict: 'delivered', blame: 'video' },
        ],
        delivered: 'ANDROID',
        atMs: n,
      })
    const lines = watch.lines()
    assert.equal(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] ?? '', line)
  }
})

test('what stands in the way of all clients is told once, and no client goes last', () => {
  const watch = openDriftWatch()
  assert.deepEqual(ask(watch, { VISIONOS: 'withheld', ANDROID: 'withheld' }, 6), [])
  assert.deepEqual(
    watch.drifts().map(({ client, route, verdict }) => [client, route, verdict]),
    [[null, null, 'withheld']],
  )
})

test('a version that is refused once is told as long as the client is left alone', () => {
  const watch = openDriftWatch()
  ask(watch, { VISIONOS: 'retired', ANDROID: 'delivered' }, 1)
  watch.followOrder({ first: () => 'ANDROID', retired: () => ['VISIONOS'] })
  assert.deepEqual(watch.lines(), [
    'VISIONOS: our version is no longer accepted; ANDROID is asked first now. Newer versions go into PLATFORM_CLIENTS.',
  ])
})
