/** Every mail shows outside text as text: nothing in it is a link, turns text around or is a line of its own. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { mailOfClearText } from '../../src/features/accounts/clear-text-keys.ts'
import { openEmails } from '../../src/features/accounts/mail.ts'
import { LIMITS } from '../../src/config/config.ts'
import { mailOfSubscription } from '../../src/model/follow/subscription.ts'
import { type Email, mailLine, ours } from '../../src/model/mail/email.ts'
import { MAILED_ALERTS } from '../../src/model/operator/alerts.ts'
import { CANARY_VERDICTS } from '../../src/model/operator/canary.ts'
import { mailOfAlert, mailOfCanary } from '../../src/model/operator/mails.ts'
import { mailOfBatch, mailOfDisabled, mailOfJob } from '../../src/model/webhooks/mails.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const publicUrl = 'https://transcripts.test'
const to = 'anna@example.org'

/** Every mail with outside text in all its places, by the file that writes it. */
const MAILS: Record<string, (text: string) => Email[] | Promise<Email[]>> = {
  'src/features/accounts/clear-text-keys.ts': (name) =>
    ['sk_1', null].map((prefix) => mailOfClearText({ email: to, name, prefix }, publicUrl)),
  'src/features/accounts/mail.ts': accountMails,
  'src/model/follow/subscription.ts': (text) =>
    [text, null].flatMap((title) =>
      (['out_of_money', 'gone'] as const).map((kind) =>
        mailOfSubscription({ email: to, kind, line: text, title, publicUrl }),
      ),
    ),
  'src/model/operator/mails.ts': (text) => [
    ...MAILED_ALERTS.map((alert) => ({
      to,
      ...mailOfAlert(alert, { details: [text], publicUrl }),
    })),
    ...CANARY_VERDICTS.map((verdict) => {
      const result = { verdict, failing: [{ name: text, sentence: text }], detail: text }
      return { to, ...mailOfCanary(result, { before: 'down', publicUrl }) }
    }),
  ],
  'src/model/webhooks/mails.ts': (title) => {
    const job = { id: 'job_1', state: 'failed', processed: 1, counts: { success: 0 } } as const
    const batch = { id: 'batch_1', state: 'stopped', notice: title } as const
    const webhook = { webhookId: 'wh_1', disabledBecause: 'gone' } as const
    return [
      mailOfJob({ to, job: { ...job, error: title }, title, publicUrl }),
      mailOfBatch({ to, batch, delivered: 1, title, publicUrl }),
      mailOfDisabled({ ...webhook, email: to, url: title, publicUrl }),
    ]
  },
}

/** The mails about an account hold no outside text but its address, which is validated. */
async function accountMails(): Promise<Email[]> {
  const sent: Email[] = []
  const outbox = {
    send: async (email: Email) => void sent.push(email),
    post: async () => undefined,
  }
  const emails = openEmails(outbox, publicUrl)
  for (const send of Object.values(emails)) await send(to, { newEmail: to, token: 't' } as never)
  return sent
}

const SCHEMES = [
  'http://',
  'HTTPS://',
  'ftp://',
  'x-app+1://',
  'ｈｔｔｐｓ：／／',
  'mailto:',
  'tel:',
]
const NASTY = [
  ...[
    ...SCHEMES,
    'www.',
    'WWW2.',
    '\\\\',
    'https://www.',
    'hthttp://tp://',
    'http:www.//',
    'ht\u200btp://',
  ].map((front) => `Free ${front}evil.example/x`),
  ...Array.from({ length: 0xa0 }, (_, code) => `evil${String.fromCharCode(code)}text`),
  ...'\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff'
    .split('')
    .map((one) => `evil${one}text`),
  'evil\r\nBcc: all@example.org\r\n\r\n<a href=//evil.example>',
  `evil ${'long '.repeat(2_000)}`,
]
const LINK = /[a-zａ-ｚ\d][:：][/／]{2}|[/\\]{2}|(?<![a-z])www\d*\.|(?:mailto|tel):\S/i
const MISLEADING = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\ufeff]/u
/** More than any sentence of ours, and what it shows. */
const LINE_CHARS_MAX = LIMITS.mailTextChars + 200

for (const [file, mailsOf] of Object.entries(MAILS))
  test(`the mails of ${file} show outside text as text`, async () => {
    for (const text of NASTY)
      for (const { subject, lines } of await mailsOf(text))
        for (const line of [subject, ...lines]) {
          const outside = line.replaceAll(publicUrl, '')
          assert.doesNotMatch(outside, LINK, JSON.stringify(text))
          assert.doesNotMatch(outside, MISLEADING, JSON.stringify(text))
          assert.ok(line.length <= LINE_CHARS_MAX, line)
        }
  })

test('what is no link stays, and what is ours is read to the letter', () => {
  const said = [
    'Café “Zoo”: AC/DC, 3:1 and more…',
    'שלום 👩‍👩‍👧 می‌خواهم',
    'Data: what www means',
    '@talks',
  ]
  for (const text of said)
    assert.equal(mailLine`The job “${text}” has ${1}.`, `The job “${text}” has 1.`)
  assert.equal(mailLine`At ${ours(publicUrl)}:`, `At ${publicUrl}:`)
  assert.equal(mailLine`${'https://www.youtube.com/@talks'} is gone`, 'youtube.com/@talks is gone')
})

test('every file that writes a mail is tried here', () => {
  const writers = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).filter((file) =>
    /\bmailLine`\S/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  )
  assert.deepEqual(writers.toSorted(), Object.keys(MAILS).toSorted())
})
