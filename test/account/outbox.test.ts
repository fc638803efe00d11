/**
 * The outbox: an email goes out with its transaction, sealed while it waits, and again where the mail server was away.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openOutbox, sendMail } from '../../src/features/mail/outbox.ts'
import { openSecretBox } from '../../src/features/mail/secret-box.ts'
import { type Email, mailLine } from '../../src/model/mail/email.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { claimMail } from '../../src/store/mails.ts'
import { testDatabase } from '../support/database.ts'

const { db, pool } = await testDatabase({ after })
const box = await openSecretBox(db, null)
const outbox = openOutbox(db, box)
const email = {
  to: 'anna@example.org',
  subject: mailLine`Hello`,
  lines: [mailLine`Open this:`],
  link: 'http://l/?token=t',
}

/** A transport that accepts emails, or rejects them with an error. */
function transportOf(error: unknown = null): { send(email: Email): Promise<void>; sent: Email[] } {
  const sent: Email[] = []
  return {
    sent,
    async send(one) {
      if (error !== null) throw error
      sent.push(one)
    },
  }
}

/** Claims the mail that is due and sends it, as a process does; null where none is due. */
async function sendDue(parts: Parameters<typeof sendMail>[1]) {
  const mail = await claimMail(db)
  return mail === null ? null : sendMail(db, parts, mail)
}

const waiting = async (): Promise<number> => (await pool.query('select from mail')).rowCount ?? 0
/** Makes every waiting mail due. */
const passes = (): Promise<unknown> => pool.query('update mail set due_at = now()')

test('an email is sent once its transaction has committed, and not where it was undone', async () => {
  const transport = transportOf()
  const undone = transact(db, async (tx) => {
    await outbox.post(tx, email)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.equal(await sendDue({ box, transport }), null)
  await outbox.send(email)
  assert.equal((await sendDue({ box, transport }))?.outcome, 'sent')
  assert.deepEqual(transport.sent, [email])
  assert.equal(await waiting(), 0)
})

test('while it waits, the database shows neither its words nor its link', async () => {
  await outbox.send(email)
  const { rows } = await pool.query('select m::text as all from mail m')
  assert.match(rows[0].all, /anna@example\.org/)
  assert.doesNotMatch(rows[0].all, /token|Hello|Open/)
  await sendDue({ box, transport: transportOf() })
})

test('an email that a mail server does not take is sent later, and others meanwhile', async () => {
  await outbox.send(email)
  const away = transportOf(new Error('connect ECONNREFUSED'))
  assert.equal((await sendDue({ box, transport: away }))?.outcome, 'failed')
  const transport = transportOf()
  assert.equal(await sendDue({ box, transport }), null, 'it is not due at once')
  await outbox.send({ ...email, to: 'ben@example.org' })
  await sendDue({ box, transport })
  await passes()
  await sendDue({ box, transport })
  assert.deepEqual(
    transport.sent.map(({ to }) => to),
    ['ben@example.org', 'anna@example.org'],
  )
})

test('an email that a process took and died with is sent by another', async () => {
  await outbox.send(email)
  const never = Promise.withResolvers<void>()
  void sendDue({ box, transport: { send: () => never.promise } })
  while ((await pool.query('select from mail where attempts = 1')).rowCount === 0);
  await passes()
  const transport = transportOf()
  assert.equal((await sendDue({ box, transport }))?.outcome, 'sent')
  never.resolve()
})

test('an email is given up that is refused for good, or was refused for a day', async () => {
  await outbox.send(email)
  const noSuchUser = Object.assign(new Error('no such user'), { responseCode: 550 })
  const refusing = transportOf(noSuchUser)
  assert.equal((await sendDue({ box, transport: refusing }))?.outcome, 'given_up')
  assert.equal(await waiting(), 0)

  await outbox.send(email)
  const busy = transportOf(Object.assign(new Error('try later'), { responseCode: 450 }))
  const outcomes: unknown[] = []
  for (let tries = 0; (await waiting()) > 0; tries += 1) {
    await passes()
    outcomes.push((await sendDue({ box, transport: busy }))?.outcome)
  }
  assert.deepEqual([outcomes.length, outcomes[0], outcomes.at(-1)], [24, 'failed', 'given_up'])
})

test('an email that was sealed with another key is given up, and the next one sent', async () => {
  const other = await openSecretBox(db, Buffer.alloc(32, 7).toString('base64'))
  await openOutbox(db, other).send(email)
  await outbox.send({ ...email, to: 'ben@example.org' })
  const transport = transportOf()
  assert.equal((await sendDue({ box, transport }))?.outcome, 'given_up')
  assert.equal((await sendDue({ box, transport }))?.outcome, 'sent')
})
