/** `admin account export`: everything that an account is and has, in one ZIP. */
import { open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { exportAccount } from '../features/accounts/export-account.ts'
import { sendZip } from '../features/transcripts/send-zip.ts'
import { openSigner } from '../features/money/receipts.ts'
import { ConfigError } from '../kit/config/settings.ts'
import type { Command } from './command.ts'
import { requireAccount } from './key-commands.ts'

export const exportAccountCommand: Command = {
  usage: 'account export A FILE [--json]',
  about:
    'writes account, statement, jobs, receipts and texts of an account to a new ZIP, which can be read without Scriptorium',
  options: [],
  words: 2,
  async run({ db, formWriter, config, now }, { words: [name = '', file = ''] }) {
    const { id: accountId } = await requireAccount(db, name)
    const made = await exportAccount(
      { db, formWriter },
      {
        accountId,
        signer: openSigner(db, config.RECEIPT_SIGNING_KEY),
        issuer: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
        now: now(),
      },
    )
    if (made === null)
      throw new ConfigError(`account ${accountId} is deleted; nothing is left of it`)
    const target = path.resolve(file)
    // The file is opened first: one that is there already is neither written over nor removed.
    const handle = await open(target, 'wx', 0o600)
    try {
      await pipeline(sendZip(made.files), handle.createWriteStream())
    } catch (error) {
      await rm(target, { force: true }) // half a ZIP is of no use, and stands in the way of the next try
      throw error
    }
    const { size } = await stat(target)
    const lines = [`account ${accountId} written to ${file} (${size.toLocaleString('en')} bytes)`]
    return { ok: true, value: { accountId, file: target, bytes: size }, lines }
  },
}
