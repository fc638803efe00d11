/** `admin operator grant|revoke|list` and `admin acts`: which accounts may use the console, and what operators did. */
import { grantOperator, listOperators, revokeOperator } from '../features/operator/operators.ts'
import { type LoggedAct, readLog } from '../features/operator/acts.ts'
import { ConfigError } from '../kit/settings.ts'
import { actorOf } from './account-commands.ts'
import { type Command, type Input, leadingTo, readWhole } from './command.ts'
import { requireAccount, requireLivingAccount } from './key-commands.ts'

const ACTS = { default: 50, min: 1, max: 1_000 }
const IDS = { default: 0, max: Number.MAX_SAFE_INTEGER }

const grantOperatorCommand: Command = {
  usage: 'operator grant --email E [--reason R] [--by NAME] [--json]',
  about:
    'lets the account of that address use /operator; whoever signs in to it sets up a second factor at their first visit',
  async run({ db }, input) {
    const { id: accountId, email } = await requireLivingAccount(db, input.option('email'))
    if (!(await grantOperator(db, { accountId, ...actorAndReasonOf(input) })))
      throw new ConfigError(
        `${email} is already an operator; for a new second factor, revoke the role and grant it again`,
      )
    const lines = [
      `${email} is an operator: sign in with this address and open /operator within ten minutes of signing in`,
    ]
    return { value: { accountId, email, isOperator: true }, lines }
  },
}

const revokeOperatorCommand: Command = {
  usage: 'operator revoke --email E [--reason R] [--by NAME] [--json]',
  about: 'takes the role away at once, also from open sessions, and forgets the second factor',
  async run({ db }, input) {
    const { id: accountId, email } = await requireAccount(db, input.option('email'))
    if (!(await revokeOperator(db, { accountId, ...actorAndReasonOf(input) })))
      throw leadingTo(`${email} is not an operator; see`, ['operator', 'list'])
    const lines = [`${email} is no longer an operator`]
    return { value: { accountId, email, isOperator: false }, lines }
  },
}

const listOperatorsCommand: Command = {
  usage: 'operator list [--json]',
  about: 'lists the accounts with the operator role, and since when they have a second factor',
  async run({ db }) {
    const operators = await listOperators(db)
    const lines = operators.map(
      ({ accountId, email, enrolledAt }) =>
        `${accountId}  ${email}  ${enrolledAt === null ? 'no second factor yet' : `second factor since ${enrolledAt.toISOString()}`}`,
    )
    return { value: { operators }, lines: lines.length > 0 ? lines : ['no operators'] }
  },
}

const actsCommand: Command = {
  usage: 'acts [--limit 50] [--before ID] [--json]',
  about: 'lists what operators did, by command and on the website: who, what, when and why',
  async run({ db }, input) {
    const limit = readWhole(input, 'limit', ACTS)
    const isFirst = input.optional('before') === null
    const before = isFirst ? null : BigInt(readWhole(input, 'before', IDS))
    const { acts: found, nextBefore } = await readLog(db, { before, limit })
    const acts = found.map(presentLoggedAct)
    const lines = acts.map((act) =>
      [
        act.at.toISOString(),
        act.act,
        act.email ?? '',
        act.jobId ?? '',
        `by ${act.by}`,
        act.reason,
        act.detail,
      ]
        .filter((text) => text !== null && text !== '')
        .join('  '),
    )
    const more = nextBefore === null ? [] : [`there are more: --before ${nextBefore}`]
    const next = nextBefore === null ? null : Number(nextBefore)
    const shown = lines.length > 0 ? lines : ['no acts']
    return { value: { acts, nextBefore: next }, lines: [...shown, ...more] }
  },
}

function actorAndReasonOf(input: Input): { actor: string; reason: string | null } {
  return { actor: actorOf(input), reason: input.optional('reason') }
}

/** Presents an act of the log as JSON; `by` is the address of the operator who did it at the website. */
export function presentLoggedAct({ id, doneAt, actor, actorEmail, ...act }: LoggedAct) {
  return { ...act, id: Number(id), at: doneAt, by: actorEmail ?? actor }
}

export const OPERATOR_COMMANDS = [
  grantOperatorCommand,
  revokeOperatorCommand,
  listOperatorsCommand,
  actsCommand,
]
