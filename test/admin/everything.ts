/** An account that has used everything, so that each table has rows of it. */
import assert from 'node:assert/strict'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import type { MailBox } from '../account/mail-box.ts'
import { visitorsOf } from '../account/visitor.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { adminOn } from './admin-command.ts'
import { SEEDED, seedRows } from './seeded-rows.ts'

const LINE = 'https://www.youtube.com/@dailynotes'
const NOBODY = 'http://127.0.0.1:9/never'

/**
 * Makes an account that has used everything, with a final job, a running one, and the words by which its data would be
 * found.
 */
export async function openEverything(
  running: TestService,
  mailBox: MailBox,
  email: string,
): Promise<{ accountId: string; receipt: Json; needles: string[] }> {
  const { address, platform } = running
  const { pool, url } = running.database
  const { value } = adminOn(url)
  const { visitor } = visitorsOf(running)
  const owner = visitor()
  await owner.signsUp(email)
  await owner.opens((await mailBox.newestTo(email)).link ?? '')
  const { accountId } = await owner.gets('/account/session')
  await value('credit', 'add', '--account', accountId, '--usd', '5', '--reason', 'a gift')
  const { apiKey } = (await owner.asks('POST', '/account/keys', { name: 'mine' })).body
  const who = new Customer({ address, accountId, apiKey })
  const made = await who.asks('POST', '/webhooks', { body: { url: NOBODY } })
  assert.equal(made.status, 201)
  const { job, rows } = await who.orders({ urls: [LINE], maxVideos: 4 })
  const receipt = await who.gets(`/jobs/${job['id']}/receipt`)
  await until('the webhook was tried', async () => {
    return (await pool.query('select from webhook_attempt')).rows.length > 0
  })
  platform.apply({ faults: [{ do: 'hold' }] })
  await who.startsJob({ urls: ['@captionlab'], maxVideos: 100 })
  await seedRows(pool, accountId)
  await pool.query(
    `update job set connection_id = (select id from app_connection limit 1), given_name = $2, note = $2, traceparent = $2,
      started_by = 'batch', starter_id = $2, start_slot = (select count(*) from job j where j.id < job.id)
    where account_id = $1`,
    [accountId, `${SEEDED}job`],
  )
  const delivered = rows.filter(({ status }) => status === 'success')
  assert.ok(delivered.length > 0)
  const users = await pool.query('select id from sign_in_user where account_id = $1', [accountId])
  return {
    accountId,
    receipt,
    needles: [
      email,
      LINE,
      NOBODY,
      '@captionlab',
      apiKey.slice(0, 10),
      users.rows[0].id,
      SEEDED,
      ...delivered.map(({ videoId }) => videoId),
      ...rows.flatMap(({ title }) => (title === null ? [] : [title])),
    ],
  }
}
