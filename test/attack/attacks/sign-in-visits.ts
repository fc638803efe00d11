/** Visitors of an attacked website, from any address, with the mails that the service wrote. */
import os from 'node:os'
import path from 'node:path'
import { mailFolder } from '../../account/mail-box.ts'
import { PASSWORD, Visitor } from '../../account/visitor.ts'
import type { Target } from '../attack.ts'

const MAIL_DIR = path.join(os.tmpdir(), `scriptorium-attack-mails-${process.pid}`)

/** A service behind a proxy, so that attackers come from anywhere; its mails are files. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1', MAIL_DIR }

export const mails = mailFolder(MAIL_DIR)

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

export async function isIn(one: Visitor): Promise<boolean> {
  return (await one.gets('/account/session')).email !== null
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0
}
