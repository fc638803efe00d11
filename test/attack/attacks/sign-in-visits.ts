/** Visitors of an attacked website, from any address, with the mails that the service wrote. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { mailFolder } from '../../account/mail-box.ts'
import { type PageReply, PASSWORD, Visitor } from '../../account/visitor.ts'
import { until } from '../../support/until.ts'
import type { Target } from '../attack.ts'

/** The folder is this run's alone, since ids of processes are reused. */
const MAIL_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-attack-mails-'))
process.on('exit', forgetMails)

/** Settings of a service behind a proxy, so that attackers come from any address; its mails are files. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1', MAIL_DIR }

export const mails = mailFolder(MAIL_DIR)

/** Removes the mails of a first try, which a second one would take for its own. */
export function forgetMails(): void {
  fs.rmSync(MAIL_DIR, { recursive: true, force: true })
}

let visits = 0

/** Opens a browser with an address of its own, or with `from`. */
export function browser(
  { address, origin }: Pick<Target, 'address' | 'origin'>,
  from?: string,
): Visitor {
  visits += 1
  return new Visitor({
    address,
    origin,
    from: from ?? `10.${visits & 255}.${(visits >> 8) & 255}.1`, // one of another wide network each
  })
}

/** Signs up a visitor who proved the address. */
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

/** Asks as an owner would: again while the service is busy, until it is accepted. */
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
