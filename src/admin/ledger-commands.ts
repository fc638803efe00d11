/**
 * `admin ledger verify`, `ledger statement`, `payment claims` and `signing-key rotate`: the operator's view of money.
 */
import { counted } from '../kit/text/counted.ts'
import fs from 'node:fs/promises'
import type { DatabaseContext } from '../context.ts'
import { readClaims } from '../features/money/payments.ts'
import { checkReceipt, openSigner, rotateSigningKey } from '../features/money/receipts.ts'
import { readStatement, streamStatementCsv } from '../features/money/balance.ts'
import { DIFFERENCES_LISTED } from '../features/money/verify-ledger.ts'
import { checkLedger, giveCredit, sentenceOfLedger } from '../features/operator/acts.ts'
import type { Gap } from '../features/operator/failovers.ts'
import { ConfigError } from '../kit/settings.ts'
import { available } from '../model/money/ledger.ts'
import { formatUsd, inDollars } from '../model/money/money.ts'
import { type Receipt, RECEIPT_TYPE } from '../model/money/receipt.ts'
import { change, type StatementLine } from '../model/money/statement.ts'
import { actorOf, readReason, readUsd } from './account-commands.ts'
import { type Command, readPage } from './command.ts'
import { deletedAccount, requireAccount, requireLivingAccount } from './key-commands.ts'

const CLAIMS_LISTED_MAX = 200

const STATEMENT_LIMIT = { default: 100, max: 10_000 }

const verifyLedgerCommand: Command = {
  usage: 'ledger verify [--receipt FILE] [--by NAME] [--json]',
  about:
    'recomputes every account and compares balances, chain, jobs, rows and payments (and a receipt)',
  async run(ctx, input) {
    const file = input.optional('receipt')
    const receipt = file === null ? [] : await judgeReceipt(ctx, file)
    const report = await checkLedger(ctx.db, actorOf(input))
    const { listed, gaps } = report
    const differences = report.differences + receipt.length
    const ok = differences === 0 && gaps.length === 0
    const more = report.differences - listed.length
    const lines = [
      ...receipt.map((what) => `receipt ${file}: ${what}`),
      ...listed.map(
        ({ accountId, jobId, what }) =>
          `account ${accountId}${jobId === null ? '' : `, job ${jobId}`}: ${what}`,
      ),
      ...gaps.flatMap((gap) => gap.listed.map(lostLine)),
      ...(more > 0 ? [`and ${more} more; only the first ${DIFFERENCES_LISTED} are listed`] : []),
      sentenceOfLedger({ ...report, differences }),
    ]
    return { exitCode: ok ? 0 : 1, value: { ok, ...report, receipt }, lines }
  },
}

function lostLine({ accountId, number, reference }: Gap['listed'][number]): string {
  return `account ${accountId}: entry ${number} (${reference}) was told as committed and is lost`
}

async function judgeReceipt({ db, config }: DatabaseContext, file: string): Promise<string[]> {
  const text = await fs.readFile(file, 'utf8').catch((cause: Error) => {
    throw new ConfigError(`--receipt ${file} cannot be read: ${cause.message}`)
  })
  let receipt: Receipt | null = null
  try {
    receipt = JSON.parse(text) as Receipt
  } catch {
    return ['it is not JSON']
  }
  if (receipt?.type !== RECEIPT_TYPE || typeof receipt.signature?.value !== 'string') {
    return ['it is not a Scriptorium receipt']
  }
  return checkReceipt(db, openSigner(db, config.RECEIPT_SIGNING_KEY), receipt)
}

const statementCommand: Command = {
  usage: 'ledger statement --account A [--offset 0] [--limit 100] [--format csv] [--json]',
  about: "prints an account's ledger entries, newest first; with --format csv all of them",
  async run({ db }, input) {
    const { id: accountId } = await requireAccount(db, input.option('account'))
    const format = input.optional('format')
    if (format === 'csv') {
      return { value: null, lines: withoutLineEnds(streamStatementCsv(db, accountId)) }
    }
    if (format !== null)
      throw new ConfigError(`--format must be csv, not ${JSON.stringify(format)}`)

    const { offset, limit } = readPage(input, STATEMENT_LIMIT)
    const { entries, ...page } = await readStatement(db, { accountId, offset, limit })
    const lines = entries.map((line) =>
      [
        String(line.number).padStart(6),
        line.createdAt.toISOString(),
        line.kind.padEnd(7),
        formatUsd(change(line)).padStart(12),
        formatUsd(available(line.after)).padStart(12),
        line.reason ?? line.jobId ?? line.reference,
      ].join('  '),
    )
    const foot = `${entries.length} of ${counted(page.total, 'entry', 'entries')}`
    const value = { accountId, ...page, entries: entries.map(presentLine) }
    return { value, lines: [...lines, foot] }
  },
}

/** Presents a line of the statement as JSON; `changeUsd` is of the available balance, `balanceUsd` after it. */
export function presentLine({ number, after, ...line }: StatementLine) {
  return {
    ...line,
    number: Number(number),
    changeUsd: formatUsd(change(line)),
    balanceUsd: formatUsd(available(after)),
    reservedUsd: formatUsd(after.heldMicros),
    postedMicros: String(line.postedMicros),
    heldMicros: String(line.heldMicros),
  }
}

const claimsCommand: Command = {
  usage: 'payment claims [--json]',
  about:
    'lists refunds and disputes, what could not be taken back, and payment events that were refused',
  async run({ db }) {
    const { claims: found, refused } = await readClaims(db, CLAIMS_LISTED_MAX)
    const claims = found.map((claim) => ({
      id: claim.id,
      kind: claim.kind,
      status: claim.status,
      paymentId: claim.paymentId,
      accountId: claim.accountId,
      email: claim.email,
      claimedUsd: formatUsd(claim.claimedMicros),
      takenUsd: formatUsd(claim.takenMicros),
      missingUsd: formatUsd(claim.missingMicros),
      createdAt: claim.createdAt,
    }))
    const lines = [
      ...claims.map(
        (claim) =>
          `${claim.kind} ${claim.id} (${claim.status}) of ${claim.email ?? 'a payment not credited'}: ` +
          `${inDollars(claim.claimedUsd)} claimed, ${inDollars(claim.takenUsd)} taken back, ${inDollars(claim.missingUsd)} missing`,
      ),
      ...refused.map((event) => `event ${event.id} (${event.type}) was not applied: ${event.note}`),
    ]
    const nothing = ['no refunds, disputes or refused events']
    return { value: { claims, refused }, lines: lines.length > 0 ? lines : nothing }
  },
}

const rotateKeyCommand: Command = {
  usage: 'signing-key rotate [--json]',
  about: 'creates a new signing key for receipts; the old keys stay published',
  async run({ db, config }) {
    if (config.RECEIPT_SIGNING_KEY !== null) {
      throw new ConfigError(
        'the signing key comes from RECEIPT_SIGNING_KEY; change that setting instead',
      )
    }
    const { id } = await rotateSigningKey(db)
    return { value: { keyId: id }, lines: [`receipts are signed with ${id} from now on`] }
  },
}

/** Yields the pieces without their last line feed, which printing adds. */
async function* withoutLineEnds(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield piece.slice(0, -1)
}

// The command `admin credit add`: the operator's top-up, with its reason.

const addCreditCommand: Command = {
  usage: 'credit add --account A --usd 5 --reason R [--by NAME] [--json]',
  about: 'adds credit to an account, named by id or email address',
  async run({ db }, input) {
    const { id: accountId } = await requireLivingAccount(db, input.option('account'))
    const micros = readUsd('usd', input.option('usd'))
    const reason = readReason(input)
    if (micros === 0n) throw new ConfigError('--usd must be more than 0')
    const grant = { accountId, micros, actor: actorOf(input), reason }
    const given = await giveCredit(db, grant)
    if (given === null) throw deletedAccount(accountId)
    const { reference, availableMicros } = given
    const [addedUsd, balance] = [formatUsd(micros), formatUsd(availableMicros)]
    const lines = [`${inDollars(addedUsd)} added; ${inDollars(balance)} available`]
    return { value: { accountId, addedUsd, balance, reference }, lines }
  },
}

export const MONEY_COMMANDS = [
  addCreditCommand,
  verifyLedgerCommand,
  statementCommand,
  claimsCommand,
  rotateKeyCommand,
]
