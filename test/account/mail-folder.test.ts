/** Mails without a mail server: files that only the operator can read, and no link in the log. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { openTransport } from '../../src/features/mail/transport.ts'
import { mailLine } from '../../src/model/mail/email.ts'
import { testService } from '../support/service.ts'
import { mailFolder, startMailBox } from './mail-box.ts'

const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'mails-'))
after(() => fs.rmSync(parent, { recursive: true }))
const folder = path.join(parent, 'deep/mail')
const lines: string[] = []
const log = pino({}, { write: (line: string) => void lines.push(line) })
const mail = await openTransport(
  { SMTP_URL: null, MAIL_FROM: 'us@example.org', MAIL_DIR: folder },
  log,
)
const email = {
  to: 'anna@example.org',
  subject: mailLine`Hello`,
  lines: [mailLine`Open this:`],
  link: 'http://localhost/verify?token=secret',
}

test('a mail is a file that only this user reads, and the log names the file, not the link', async () => {
  await mail.send(email)
  const [name = ''] = fs.readdirSync(folder)
  const text = fs.readFileSync(path.join(folder, name), 'utf8')
  assert.match(text, /^To: anna@example\.org$/m)
  assert.match(text, /token=secret$/m)
  assert.equal(fs.statSync(folder).mode & 0o777, 0o700)
  assert.equal(fs.statSync(path.join(folder, name)).mode & 0o777, 0o600)
  assert.ok(lines.some((line) => line.includes(name)))
  assert.ok(!lines.join('').includes('secret'))
})

test('a link is read as it stands, also where it looks encoded', async () => {
  const link = 'http://localhost/verify?token=4CjW'
  await mail.send({ ...email, to: 'ben@example.org', link })
  const box = await startMailBox({ after })
  const SMTP_URL = box.env['SMTP_URL'] ?? ''
  const sent = await openTransport({ MAIL_FROM: 'us@example.org', MAIL_DIR: folder, SMTP_URL }, log)
  await sent.send({ ...email, to: 'ben@example.org', link })
  for (const { newestTo } of [mailFolder(folder), box])
    assert.equal((await newestTo('ben@example.org')).link, link)
})

test('a mail that was written by an older release has no marks and controls, by a server as in a folder', async () => {
  const box = await startMailBox({ after })
  const SMTP_URL = box.env['SMTP_URL'] ?? ''
  const sent = await openTransport({ MAIL_FROM: 'us@example.org', MAIL_DIR: folder, SMTP_URL }, log)
  const marked = 'red\u202e \u2066\u200ftxt\u001b[1m' as typeof email.subject
  for (const transport of [sent, mail])
    await transport.send({ ...email, to: 'cleo@example.org', subject: marked, lines: [marked] })
  for (const { newestTo } of [mailFolder(folder), box]) {
    const { subject, text } = await newestTo('cleo@example.org')
    assert.equal(subject, 'red txt [1m')
    assert.match(text, /^red txt \[1m$/m)
  }
})

test('a mail of the day before is removed, others stay', async () => {
  for (const name of fs.readdirSync(folder)) fs.utimesSync(path.join(folder, name), 0, 0)
  const again = await openTransport(
    { SMTP_URL: null, MAIL_FROM: 'us@example.org', MAIL_DIR: folder },
    log,
  )
  await again.send(email)
  await again.send(email)
  assert.equal(fs.readdirSync(folder).length, 2)
})

test('a worker without a mail server leaves mails to the API, on whose disk they are looked for', async (t) => {
  const [ofWorker, ofApi] = [path.join(parent, 'worker'), path.join(parent, 'api')]
  const { service, another } = await testService(t, {
    env: { ROLES: 'worker', MAIL_DIR: ofWorker },
  })
  await service.context.outbox.send(email)
  await another({ ROLES: 'api', MAIL_DIR: ofApi })
  assert.match((await mailFolder(ofApi).newestTo(email.to)).text, /Open this/)
  assert.equal(fs.existsSync(ofWorker), false)
})

test('a folder that cannot be written is told, with what to do', async () => {
  const file = path.join(parent, 'file')
  fs.writeFileSync(file, '')
  const given = { SMTP_URL: null, MAIL_FROM: 'us@example.org', MAIL_DIR: path.join(file, 'mail') }
  const nowhere = await openTransport(given, log)
  await assert.rejects(nowhere.send(email), /MAIL_DIR/)
})
