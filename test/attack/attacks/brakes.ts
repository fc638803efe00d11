/** Attacks that go on with an account which an operator suspended. */
import assert from 'node:assert/strict'
import { suspendAccount } from '../../../src/features/accounts/account.ts'
import { checkBooks, ofJob } from '../../machines/fleet.ts'
import { until } from '../../support/until.ts'
import { untilNothingIsAsked } from '../../support/held-platform.ts'
import { Customer } from '../../../tools/conformance/customer.ts'
import { Visitor } from '../../account/visitor.ts'
import type { Attack } from '../attack.ts'
import { signUp } from '../member.ts'
import { OF_PAYMENTS } from './stripe-stories.ts'

const WORD = { actor: 'an operator', reason: 'abuse' }
const STARTS = 30
/** Captions that arrive before the platform stops answering, so that the job stays in the middle of its videos. */
const CAPTIONS = 6
/** Half of the tries of a worker that does not know of the suspension: two more for each of 16 videos. */
const TRIES_MAX = 16
/** Bounds of jobs that list and fetch no captions: all captions are then the running job's. */
const NOTHING_FITS = { publishedBefore: '2005-01-01', maxVideos: 1 }

export const BRAKES: readonly Attack[] = [
  {
    name: 'working on with key, bearer and session of an account that was suspended',
    class: 'suspended accounts',
    isInGate: true,
    settings: OF_PAYMENTS,
    async run(target) {
      const { address, origin, fleet } = target
      const { visitor, email, accountId } = await signUp(target)
      const { apiKey } = (await visitor.asks('POST', '/account/keys', { name: 'kept' })).body
      const { bearer } = (await visitor.asks('POST', '/account/bearer')).body
      const methods = await visitor.gets('/account/sign-in-methods')
      assert.equal(methods.hasPassword, true)
      await suspendAccount(fleet.database.db, { accountId, ...WORD })

      const callers = [apiKey, bearer].map(
        (key: string) => new Customer({ address, accountId, apiKey: key }),
      )
      const calls = [
        ['GET', '/balance'],
        ['GET', '/jobs'],
        ['GET', '/jobs/x/results'],
        ['POST', '/jobs'],
        ['GET', '/nothing'],
      ] as const
      for (const caller of callers) {
        for (const [method, path] of calls) {
          const { status, body } = await caller.asks(
            method,
            path,
            method === 'POST' ? { body: { urls: ['@dailynotes'] } } : {},
          )
          assert.deepEqual([status, body['error'].code], [401, 'unauthorized'], path)
        }
      }
      const pages = [
        ['GET', '/account/keys'],
        ['POST', '/account/keys'],
        ['POST', '/account/bearer'],
        ['GET', '/account/balance'],
        ['GET', '/account/statement'],
        ['GET', '/account/sign-in-methods'],
        ['POST', '/account/top-up'],
        ['GET', '/account/auth/passkey/generate-register-options'],
        ['POST', '/account/auth/change-password'],
      ] as const
      for (const [method, path] of pages) {
        const body = {
          name: 'more',
          amountUsd: '10',
          currentPassword: 'a long enough sentence',
          newPassword: 'another long sentence',
        }
        const { status } = await visitor.asks(method, path, method === 'POST' ? body : undefined)
        assert.equal(status, 401, path)
      }
      const again = new Visitor({ address, origin })
      const refused = await again.signsIn(email)
      assert.equal(refused.status, 403)
      assert.match(refused.body.error.message, /suspended/)
      assert.equal((await again.gets('/account/session')).email, null)
      return `${callers.length * calls.length + pages.length + 1} tries, all refused`
    },
  },
  {
    name: 'a job that runs on, and jobs that start, while the account is being suspended',
    class: 'suspended accounts',
    isInGate: true,
    settings: OF_PAYMENTS,
    async run(target) {
      const { fleet } = target
      const { database, platform } = fleet
      const who = await target.customer()
      platform.apply({ faults: [{ do: 'hang', on: 'timedtext', per: 'all', after: CAPTIONS }] })
      try {
        const job = await who.startsJob({ urls: ['@captionlab'], maxVideos: 500 })
        await until(
          'something is delivered',
          async () => (await ofJob<number>(database, job['id'], 'success')) > 2,
        )
        const starts = Array.from({ length: STARTS }, (_, index) =>
          who.asks('POST', '/jobs', {
            body: {
              urls: [`https://www.youtube.com/@captionlab/videos?${index}`],
              ...NOTHING_FITS,
            },
          }),
        )
        await Promise.race(starts) // some starts were in time, some are on their way
        const [suspension, ...answers] = await Promise.all([
          suspendAccount(database.db, { accountId: who.accountId, ...WORD }),
          ...starts,
        ])
        assert.ok(suspension?.stoppedJobs.includes(job['id']))
        const { rows: open } = await database.pool.query(
          `select id from job where account_id = $1 and charged_micros is null`,
          [who.accountId],
        )
        assert.deepEqual(open, [], 'no job of the account is open')
        platform.log.reset()
        const more = await untilNothingIsAsked(platform)
        assert.ok(more < TRIES_MAX, `its worker asked for captions ${more} times more`)
        await checkBooks(database)
        const started = answers.filter(({ status }) => status === 201).length
        return `all ${started + 1} jobs settled in the same commit, the worker stopped with ${more} more requests for captions`
      } finally {
        platform.clear()
      }
    },
  },
]
