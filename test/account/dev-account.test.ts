/** The account that `npm run dev` prints: it signs in on the website and owns the printed key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDevAccount, createDevUser, DEV_USER } from '../../tools/scripts/dev-account.ts'
import { sharedService } from '../support/shared-service.ts'
import { visitorsOf } from './visitor.ts'

test('the development account signs in with its password and has the credit of its key', async (t) => {
  const service = await sharedService(t)
  const apiKey = await createDevAccount(service.service.context)
  await createDevUser(service.service.context)
  await createDevUser(service.service.context) // a later start finds account and user

  const visitor = visitorsOf(service).visitor()
  assert.equal((await visitor.signsIn(DEV_USER.email, DEV_USER.password)).status, 200)
  const { accountId } = await visitor.gets('/account/session')
  assert.match(accountId, /^acc_/)

  const response = await fetch(`${service.address}/api/v1/balance`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  })
  assert.partialDeepStrictEqual(await response.json(), { balance: '100.000' })
})
