/** The verdict that a start at a terminal tells: where it is told, that it keeps nothing waiting, and what it says. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { tellsVerdict, verdictAtStart } from '../../src/tell-verdict.ts'
import { testService } from '../support/service.ts'

const NEVER = new AbortController().signal

test('a start tells whether the platform answers, and is noted nowhere', async (t) => {
  const { service, platform, database } = await testService(t)
  const { context } = service
  assert.equal(
    await verdictAtStart(context, NEVER),
    '  Platform  Healthy: every client delivers on every route.\n\n',
  )

  platform.apply({ faults: [{ do: 'bot_check', on: 'player' }] })
  const checked = await verdictAtStart(context, NEVER)
  assert.match(
    checked ?? '',
    /^ {2}Platform {2}Down: .*data centre: for 5 of 5 videos.* doctor` says more\.\n\n$/,
  )

  platform.apply({ faults: [{ do: 'hang' }] })
  const stopping = new AbortController()
  const told = verdictAtStart(context, stopping.signal)
  stopping.abort()
  assert.equal(await told, null, 'a stop ends it')
  platform.clear()
  const { rows } = await database.pool.query('select from operator_act')
  assert.equal(rows.length, 0)
})

test('it is told at a terminal alone, where this process asks the platform itself', async (t) => {
  const { service } = await testService(t)
  const { context } = service
  const tells = (change: object, isAtTerminal = true) =>
    tellsVerdict(
      { ...context, config: { ...context.config, PLATFORM_ORIGIN: null, ...change } },
      isAtTerminal,
    )
  assert.equal(tells({}), true)
  assert.equal(tells({}, false), false)
  assert.equal(tells({ PLATFORM_ORIGIN: 'http://127.0.0.1:1' }), false)
  assert.equal(tells({ ROLES: new Set(['api']) }), false)
})
