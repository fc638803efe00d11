/** The mails that operators get, as they are when they leave the outbox, with one operator and another account. */
import assert from 'node:assert/strict'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { openOutbox, type Outbox, sendMail } from '../../src/features/mail/outbox.ts'
import { openSecretBox } from '../../src/features/mail/secret-box.ts'
import { grantOperator } from '../../src/features/operator/operators.ts'
import type { Email } from '../../src/model/mail/email.ts'
import { claimMail } from '../../src/store/mails.ts'
import type { TestDatabase } from '../support/database.ts'

export type OperatorsBox = {
  outbox: Outbox
  /** Opens an account with the role; returns its id. */
  operator(email: string): Promise<string>
  /** Returns the mails that were posted since the last call. */
  taken(): Promise<Email[]>
}

export async function openOperatorsBox({ db }: TestDatabase): Promise<OperatorsBox> {
  const box = await openSecretBox(db, null)
  return {
    outbox: openOutbox(db, box),
    async operator(email) {
      const { accountId } = await createAccountWithKey(db, { email, micros: 0n })
      assert.ok(await grantOperator(db, { accountId, actor: 'Ada', reason: null }))
      return accountId
    },
    async taken() {
      const sent: Email[] = []
      const transport = { send: async (email: Email) => void sent.push(email) }
      for (let mail = await claimMail(db); mail !== null; mail = await claimMail(db))
        assert.equal((await sendMail(db, { box, transport }, mail)).outcome, 'sent')
      return sent
    },
  }
}
