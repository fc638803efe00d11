/** Visitors of an attacked website, from any address, with the mails that the service wrote. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { mailFolder } from '../../account/mail-box.ts'
import { type PageReply, PASSWORD, Visitor } from '../../account/visitor.ts'
import { until } from '../../support/until.ts'
import type { Target } from '../attack.ts'

/** Of this run alone: ids of processes come again. */
const MAIL_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-attack-mails-'))
process.on('exit', forgetMails)

/** A service behind a proxy, so that attackers come from anywhere; its mails are files. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1', MAIL_DIR }

export const mails = mailFolder(MAIL_DIR)

/** Before an attack is tried again: its mails of the first try would be taken for those of the second. */
export function forgetMails(): void {
  fs.rmSync(MAIL_DIR, { recursive: true, force: true })
}

let visits = 0

/** A browser from an address that nobody else has; `from` names one. */
export function browser(
  { address, origin }: Pick<Target, 'address' | 'origin'>,
  from?: string,
): Visitor {
  visits += 1
  return new Visitor({
    address,
    origin,
    from: from ?? `10.${visits >> 16}.${(visits >> 8) & 255}.${visits & 255}`,
  })
}

/** Somebody who signed up and proved the address. */
export async function owner(
  target: Pick<Target, 'address' | 'origin'>,
  email: string,
  password = PASSWORD,
): Promise<Visitor> {
  const one = browser(target)
  await one.signsUp(email, password)
  const { link } = await mails.newestTo(email)
  await one.opens(link ?? '')
  return one
}

/** As the owner of an address would: comes again while the service is busy, and is let in in the end. */
export async function persists(ask: () => Promise<PageReply>): Promise<PageReply> {
  let reply = await ask()
  await until('the service is not busy', async () => {
    if (reply.status === 503) reply = await ask()
    return reply.status !== 503
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply
}

export async function isIn(one: Visitor): Promise<boolean> {
  return (await one.gets('/account/session')).email !== null
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0
}
