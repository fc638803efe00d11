/** What an attacker may make of a genuine receipt, with the keys that its issuer publishes. */
import type { ReceiptBody } from '../../src/model/money/receipt.ts'
import {
  issuerPair as pair,
  otherPair as other,
  publishedKey as published,
  RECEIPT_TEXTS,
  receiptBody,
  receiptEntry,
  sha256Hex,
  signedReceipt as signed,
} from './genuine-receipt.ts'

export type ReceiptCase = {
  name: string
  receipt: unknown
  /** Keys, published by the issuer or given by the caller. */
  keys: unknown
  trusts: 'issuer' | 'keys'
  /** Address that the caller trusts. */
  issuer: string
  videos: { index: number; text: string | null }[]
  /** What both clients report; null where the receipt holds. */
  says: RegExp | null
}

/** `issuerOf` returns where a case's keys are served: under a path of its own, by its position in the list. */
export function receiptCases(issuerOf: (name: string) => string): ReceiptCase[] {
  const texts = RECEIPT_TEXTS.map((text, at) => ({ index: at + 1, text }))
  const of = (
    name: string,
    says: RegExp | null,
    make: (body: ReceiptBody) => Partial<ReceiptCase> = () => ({}),
  ): ReceiptCase => {
    const issuer = issuerOf(name)
    const body = receiptBody(issuer)
    const genuine = { receipt: signed(body), keys: [published(other), published(pair)] }
    return { name, says, issuer, trusts: 'issuer', videos: texts, ...genuine, ...make(body) }
  }
  /** Signs the changed body with the right key: an attacker has it, or the service itself is wrong. */
  const signedWith = (change: (body: any) => void) => (body: ReceiptBody) => {
    change(body)
    return { receipt: signed(body) }
  }
  /** Changes the receipt after it was signed. */
  const changed = (change: (receipt: any) => void) => (body: ReceiptBody) => {
    const receipt = structuredClone(signed(body))
    change(receipt)
    return { receipt }
  }
  const keysAre = (keys: unknown) => () => ({ keys, trusts: 'keys' as const })
  const isNone = /^receipt_invalid: The receipt is not valid: it is not a receipt/
  const isNoKey = /^keys_unreadable: The keys of the issuer could not be read: they are not a list/
  return [
    of('it holds', null),
    of('it holds by kept keys, whatever it names', null, (body) => {
      const receipt = signed({ ...body, issuer: 'https://moved.example' })
      return { receipt, trusts: 'keys' }
    }),
    of('the address ends with a slash', null, (body) => ({ issuer: `${body.issuer}/` })),
    of('an unknown key', /publishes no key/, (body) => ({
      receipt: signed(body, other),
      keys: [],
    })),
    of('another key under the right id', /: the signature does not match/, () => ({
      keys: [{ ...published(other), id: pair.id }],
    })),
    of('a key that was retired later', null, () => ({
      keys: [published(pair, '2026-03-01T12:00:00.001Z')],
    })),
    of('a key that was retired while the job ended', null, () => ({
      keys: [published(pair, '2026-03-01T11:59:00.000Z')],
    })),
    of('a retired key', /: the key [\da-f]{16} was retired before the job ended$/, () => ({
      keys: [published(pair, '2026-03-01T11:58:59.999Z')],
    })),
    of('a retired key that is kept', /valid: the key [\da-f]{16} was retired/, () => ({
      ...keysAre([published(pair, '2026-02-01T00:00:00.000Z')])(),
    })),
    of('a day that no calendar has, by a retired key', isNone, (body) => ({
      receipt: signed({ ...body, finishedAt: '2026-02-31T00:00:00.000Z' }),
      keys: [published(pair, '2026-02-01T00:00:00.000Z')],
    })),
    of('another issuer', /valid: it names https:\/\/other.example as its issuer$/, (body) => ({
      receipt: signed({ ...body, issuer: 'https://other.example' }),
    })),
    of('another path of the issuer', /valid: it names .* as its issuer$/, (body) => ({
      receipt: signed({ ...body, issuer: `${body.issuer}//` }),
    })),
    of(
      'plain http',
      /^keys_unreadable: .*http:\/\/texts\.example\/.*is not read by https/,
      (body) => {
        const issuer = 'http://texts.example'
        return { receipt: signed({ ...body, issuer }), issuer }
      },
    ),
    of('no address', /^keys_unreadable: .*is not read by https/, () => ({
      issuer: 'texts.example',
    })),
    of('a file', /^keys_unreadable: .*is not read by https/, () => ({ issuer: 'file:///tmp' })),
    of('keys that are none', isNoKey, keysAre([null])),
    of('keys that are no list', isNoKey, keysAre({ keys: [] })),
    of('a key of the wrong size', isNoKey, keysAre([{ id: pair.id, publicKey: 'AAAA' }])),
    of(
      'a key that is no base64',
      isNoKey,
      keysAre([{ ...published(pair), publicKey: '-'.repeat(44) }]),
    ),
    of('a key retired at no time', isNoKey, keysAre([published(pair, 'yesterday')])),
    of('an answer that is no list', /^keys_unreadable: .* lists none$/, () => ({ keys: { a: 1 } })),
    of('no answer of keys', /^keys_unreadable: .* lists none$/, () => ({ keys: null })),
    of('nothing', isNone, () => ({ receipt: null })),
    of('a list', isNone, () => ({ receipt: [] })),
    of(
      'another kind',
      isNone,
      signedWith((body) => (body.type = 'scriptorium-receipt-2')),
    ),
    of(
      'no ledger',
      isNone,
      signedWith((body) => delete body.ledger),
    ),
    of(
      'an entry without a hash',
      isNone,
      signedWith((body) => delete body.ledger.entries[1].hash),
    ),
    of(
      'a sum that is none',
      isNone,
      signedWith((body) => (body.charged = '0x18')),
    ),
    of(
      'a sum below zero',
      isNone,
      signedWith((body) => (body.released = '-0.016')),
    ),
    of(
      'a number as a text',
      isNone,
      signedWith((body) => (body.transcripts = '3')),
    ),
    of(
      'a truth for a number',
      isNone,
      signedWith((body) => (body.delivered[0].index = true)),
    ),
    of(
      'another algorithm',
      isNone,
      changed((it) => (it.signature.algorithm = 'none')),
    ),
    of(
      'blanks in the signature',
      isNone,
      changed((it) => (it.signature.value += '\n')),
    ),
    of(
      'half a signature',
      isNone,
      changed((it) => (it.signature.value = 'AAAA')),
    ),
    of(
      'a signature of nothing',
      /signature does not match/,
      changed((it) => {
        it.signature.value = `${'A'.repeat(86)}==`
      }),
    ),
    of(
      'a charge that was changed',
      /signature.*; charged is not transcripts times price; /,
      changed((it) => {
        it.charged = '0.016'
      }),
    ),
    of(
      'half a letter',
      /: the signature does not match/,
      changed((it) => (it.state = '\ud800')),
    ),
    of(
      'one more field',
      /: the signature does not match/,
      changed((it) => (it.note = 'free')),
    ),
    of(
      'a charge too high',
      /valid: charged is not transcripts times price; charged and released/,
      signedWith((body) => (body.charged = '0.032')),
    ),
    of(
      'a price too high',
      /valid: charged is not transcripts times price$/,
      signedWith((body) => (body.pricePerTranscript = '0.009')),
    ),
    of(
      'more reserved',
      /valid: charged and released.*; the ledger reserved another sum$/,
      signedWith((body) => (body.reserved = '0.048')),
    ),
    of('one video fewer', /valid: it does not list as many.*; it lists one twice$/, (body) => {
      return { receipt: signed({ ...body, delivered: body.delivered.slice(1) }), videos: [] }
    }),
    of(
      'one video twice',
      /valid: it lists one twice$/,
      signedWith((body) => (body.delivered[1].videoId = 'video-0')),
    ),
    of(
      'no entries',
      /headBefore is not before.*headAfter is not after/,
      signedWith((body) => (body.ledger.entries = [])),
    ),
    of(
      'another head',
      /valid: headBefore is not before its first entry$/,
      signedWith((body) => (body.ledger.headBefore = 'f'.repeat(64))),
    ),
    of(
      'a changed entry',
      /valid: entry 8 was changed$/,
      signedWith((body) => (body.ledger.entries[1].reason = 'other')),
    ),
    of(
      'another account',
      /entry 7 was changed; entry 8 was changed; entry 9 was changed$/,
      signedWith((body) => (body.accountId = 'acc_2')),
    ),
    of(
      'another job',
      /entry 7 is of another job; entry 8 is.*; entry 9 is/,
      signedWith((body) => (body.jobId = 'job_2')),
    ),
    of(
      'a broken chain',
      /valid: entry 8 follows another$/,
      signedWith((body) => {
        const charge = { ...body.ledger.entries[1], previousHash: undefined, hash: undefined }
        body.ledger.entries[1] = receiptEntry('f'.repeat(64), {
          ...charge,
          previousHash: 'f'.repeat(64),
        })
        body.ledger.entries[2].previousHash = body.ledger.entries[1].hash
        body.ledger.entries[2] = receiptEntry(body.ledger.entries[1].hash, body.ledger.entries[2])
        body.ledger.headAfter = body.ledger.entries[2].hash
      }),
    ),
    of('a wrong text', /valid: the text of 2 is not the receipt's$/, () => ({
      videos: [texts[0]!, { index: 2, text: 'other' }],
    })),
    of(
      'the hash of another text',
      /valid: the text of 1 is not the receipt's$/,
      signedWith((body) => (body.delivered[0].textSha256 = sha256Hex('other'))),
    ),
    of('a text that was never delivered', /valid: the text of 9 is not the receipt's$/, () => ({
      videos: [
        { index: 9, text: 'more' },
        { index: 10, text: null },
      ],
    })),
    of('half a letter in a text', /valid: the text of 1 is not the receipt's$/, () => ({
      videos: [{ index: 1, text: '\ud800' }],
    })),
  ]
}
