/** `admin usage`: what each account costs, the most expensive first. */
import { formatUsd } from '../model/money/money.ts'
import {
  type AccountCost,
  COST_COLUMNS,
  type CostColumn,
  readCosts,
  readStorage,
} from '../features/operator/storage.ts'
import type { Usage } from '../features/operator/read-accounts.ts'
import type { Command } from './command.ts'
import { readChoice, readWhole } from './paging.ts'
import { presentStorage, tellStorage } from './service-commands.ts'

const DAYS = { default: 1, max: 3_650 }
const TOP = { default: 10, max: 1_000 }
const MS_PER_SECOND = 1_000

export const usageCommand: Command = {
  usage: `usage [--days 1] [--top 10] [--by ${COST_COLUMNS.join('|')}] [--json]`,
  about:
    'shows what each account costs: platform calls and bytes, CPU time, stored bytes, jobs, money; day 1 is today (UTC); and the bytes that each table and account takes now, what each day added, and the backups',
  options: ['days', 'top', 'by'],
  words: 0,
  async run({ db, config }, input) {
    const days = readWhole('days', input.optional('days') ?? String(DAYS.default), DAYS.max, 1)
    const limit = readWhole('top', input.optional('top') ?? String(TOP.default), TOP.max, 1)
    const chosen = readChoice(input, 'by', COST_COLUMNS)
    const { totals, tops } = await readCosts(db, { days, limit, by: chosen })
    const { accounts, ...total } = totals
    const storage = presentStorage(await readStorage(db, config))
    const value = {
      days,
      totals: { accounts, ...presentSums(total) },
      top: Object.fromEntries(tops.map(({ by, costs }) => [by, costs.map(presentCost)])),
      storage,
    }
    const lines = [
      `${accounts} accounts in ${days === 1 ? 'one day' : `${days} days`}: ${tell(value.totals)}`,
      ...tops.flatMap(({ by, costs }) => [
        '',
        `most ${WORDS[by]}`,
        ...costs.map((cost) => `  ${cost.email}: ${tell(presentCost(cost))}`),
      ]),
      '',
      ...tellStorage(storage),
    ]
    return { ok: true, value, lines }
  },
}

const WORDS: Record<CostColumn, string> = {
  calls: 'platform calls',
  bytes: 'bytes from the platform',
  cpu: 'CPU time',
  stored: 'bytes stored',
  money: 'money charged',
}

/** Presents what was measured as JSON. */
export function presentUsage({ calls, receivedBytes, cpuMs, storedBytes }: Usage) {
  return { calls, receivedBytes, cpuSeconds: Math.round(cpuMs) / MS_PER_SECOND, storedBytes }
}

function presentSums({
  jobs,
  delivered,
  chargedMicros,
  ...usage
}: Omit<AccountCost, 'accountId' | 'email'>) {
  return { ...presentUsage(usage), jobs, delivered, charged: formatUsd(chargedMicros) }
}

function presentCost({ accountId, email, ...sums }: AccountCost) {
  return { accountId, email, ...presentSums(sums) }
}

function tell(sums: ReturnType<typeof presentSums>): string {
  return (
    `${sums.calls} calls, ${sums.receivedBytes} bytes received, ${sums.cpuSeconds.toFixed(1)} s of CPU, ` +
    `${sums.storedBytes} bytes stored, ${sums.jobs} jobs, ${sums.delivered} delivered, ${sums.charged} USD`
  )
}
