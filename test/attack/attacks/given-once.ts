/** Attacks on what is given once: an account is deleted, and its owner signs up again under another spelling. */
import assert from 'node:assert/strict'
import { Customer } from '../../../tools/conformance/customer.ts'
import { parseUsd } from '../../../src/model/money/money.ts'
import type { Visitor } from '../../account/visitor.ts'
import type { Attack, Target } from '../attack.ts'
import { proveAddress } from '../member.ts'
import { BEHIND_PROXY, browser } from './sign-in-visits.ts'

const CREDIT_USD = '0.5'
const PREVIEWS_OF_HOUR = 2
const SETTINGS = {
  ...BEHIND_PROXY,
  WELCOME_CREDIT_USD: CREDIT_USD,
  PREVIEWS_PER_HOUR: String(PREVIEWS_OF_HOUR),
}

/** Addresses of one mailbox: the same again, with a tag, with dots, at the host's other name. */
const SPELLINGS = [
  'taker@gmail.com',
  'taker@gmail.com',
  'taker+2@gmail.com',
  't.aker@googlemail.com',
]

export const GIVEN_ONCE: readonly Attack[] = [
  {
    name: 'an account deleted and opened again three times, for its credit and its previews',
    class: 'free work',
    isInGate: true,
    settings: SETTINGS,
    async run(target) {
      let [credit, previews] = [0n, 0]
      for (const [turn, email] of SPELLINGS.entries()) {
        const one = await signsUp(target, email)
        credit += await readCredit(one)
        previews += await previewsUntilRefused(target, one, turn)
        const gone = await one.asks('POST', '/account/delete', { email, givesUpMoney: true })
        assert.equal(gone.status, 200, gone.text)
      }
      return checkTaken({ credit, previews })
    },
  },
  {
    name: 'four accounts with tags of one address at once, each for a credit of its own',
    class: 'free work',
    isInGate: true,
    settings: SETTINGS,
    async run(target) {
      const tags = ['', '+a', '+b', '+c']
      const all = await Promise.all(
        tags.map((tag) => signsUp(target, `many${tag}@given-once.example`)),
      )
      let [credit, previews] = [0n, 0]
      for (const [turn, one] of all.entries()) {
        credit += await readCredit(one)
        previews += await previewsUntilRefused(target, one, 10 + turn)
      }
      return checkTaken({ credit, previews })
    },
  },
]

function checkTaken({ credit, previews }: { credit: bigint; previews: number }): string {
  const seen = `${credit} micros of credit, ${previews} previews`
  assert.equal(credit, parseUsd(CREDIT_USD), seen)
  assert.equal(previews, PREVIEWS_OF_HOUR, seen)
  return seen
}

/** Signs up and in; the account is opened, and its credit given, at the first visit. */
async function signsUp(target: Target, email: string): Promise<Visitor> {
  const one = browser(target)
  assert.equal((await one.signsUp(email)).status, 200)
  await proveAddress(target, email)
  const signedIn = await one.signsIn(email)
  assert.equal(signedIn.status, 200, signedIn.text)
  return one
}

async function readCredit(one: Visitor): Promise<bigint> {
  const { available } = await one.gets('/account/balance')
  return parseUsd(available) ?? 0n
}

/** Starts previews, each of other videos, until one is refused; returns how many were accepted. */
async function previewsUntilRefused(target: Target, one: Visitor, turn: number): Promise<number> {
  const { accountId } = await one.gets('/account/session')
  const { apiKey } = (await one.asks('POST', '/account/keys', { name: 'mine' })).body
  const customer = new Customer({ address: target.address, accountId, apiKey })
  for (let taken = 0; ; taken += 1) {
    const urls = [`vid${String(turn * 100 + taken).padStart(8, '0')}`]
    const { status, body } = await customer.asks('POST', '/previews', { body: { urls } })
    if (status === 429) return taken
    assert.ok(status < 300, JSON.stringify(body))
  }
}
