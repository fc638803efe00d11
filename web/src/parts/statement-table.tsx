/**
 * The statement: every movement of the account's money, what ended last first. A job is one line, which opens its
 * entries. Each balance is the one below and its change; what running jobs hold is said beside them, and is in it.
 */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Movement } from '../api/account.ts'
import { STATEMENT_PAGE, statementQuery } from '../api/queries.ts'
import { microsOf, usdInColumn, when } from '../format.ts'
import { buttonLook, Section } from './controls.tsx'
import { ChevronIcon, DownloadIcon } from './icons.tsx'
import { OfBatch } from './of-batch.tsx'
import { Pager } from './pager.tsx'
import { Empty, Waiting } from './states.tsx'
import { TextLink } from './text-link.tsx'

type MovementEntry = Movement['entries'][number]

const KINDS: Record<MovementEntry['kind'], string> = {
  top_up: 'Added',
  adjust: 'Corrected',
  reserve: 'Reserved',
  charge: 'Charged',
  release: 'Released',
}

export function StatementTable() {
  const [offset, setOffset] = useState(0)
  const query = useQuery(statementQuery(offset))
  const { data } = query
  const csv = (
    <a href="/account/statement.csv" download className={buttonLook('plain', 'small')}>
      <DownloadIcon /> CSV
    </a>
  )
  return (
    <Section
      title="Statement"
      about="Each balance is the one below and its change; what running jobs hold is still in it."
      action={data !== undefined && data.total > 0 ? csv : undefined}
    >
      <Waiting query={query} lines={3} label="Loading the statement" />
      {data?.total === 0 && (
        <Empty title="No entries yet">
          Top up above, or start a job: each movement of your money is listed here.
        </Empty>
      )}
      {data !== undefined && data.total > 0 && (
        <>
          <table className="w-full text-[0.9375rem]">
            <thead className="text-left text-sm text-muted">
              <tr>
                <th scope="col" className="pb-2 font-medium">
                  What
                </th>
                <th scope="col" className="hidden pb-2 font-medium sm:table-cell">
                  When
                </th>
                <th scope="col" className="pb-2 text-right font-medium">
                  Change
                </th>
                <th scope="col" className="pb-2 pl-4 text-right font-medium">
                  Balance
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line border-y border-line">
              {data.movements.map((movement) => (
                <MovementRows key={movement.entries[0]?.number} movement={movement} />
              ))}
            </tbody>
          </table>
          <Pager offset={offset} limit={STATEMENT_PAGE} total={data.total} onOffset={setOffset} />
        </>
      )}
    </Section>
  )
}

function MovementRows({ movement }: { movement: Movement }) {
  const { jobId, title, batch, change, held, balance, entries } = movement
  const [isOpen, setOpen] = useState(false)
  const [first] = entries
  const last = entries.at(-1)
  if (first === undefined || last === undefined) return null
  if (jobId === null) return <EntryRow entry={first} balance={balance} />
  const isRunning = microsOf(held) > 0n
  return (
    <>
      <tr>
        <td className="py-2.5 pr-4">
          <div className="flex items-start gap-1">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={`Entries of ${title ?? 'the job'}`}
              onClick={() => setOpen(!isOpen)}
              className="-my-1 -ml-2 rounded-lg p-2 text-muted hover:bg-sunken hover:text-ink"
            >
              <span className={`block transition-transform ${isOpen ? 'rotate-90' : ''}`}>
                <ChevronIcon />
              </span>
            </button>
            <span className="min-w-0">
              <TextLink to="/jobs/$id" params={{ id: jobId }} className="wrap-anywhere" dir="auto">
                {title}
              </TextLink>
              {isRunning && <span className="ml-2 text-sm text-muted">running</span>}
              {batch !== null && <br />}
              <OfBatch batch={batch} />
              <SmallTime at={last.at} />
            </span>
          </div>
        </td>
        <TimeCell at={last.at} />
        {isRunning ? (
          <MutedCell>{usdInColumn(held)} held</MutedCell>
        ) : (
          <ChangeCell change={change} />
        )}
        <BalanceCell balance={balance} />
      </tr>
      {isOpen &&
        entries.map((entry) => <EntryRow key={entry.number} entry={entry} balance={null} />)}
    </>
  )
}

/** An entry of its own, or a part of its job's line, which has the balance. */
function EntryRow({ entry, balance }: { entry: MovementEntry; balance: string | null }) {
  const isPart = balance === null
  const indent = isPart ? 'pl-8 text-sm text-muted' : 'pl-8'
  return (
    <tr>
      <td className={`py-2.5 pr-4 ${indent}`}>
        {KINDS[entry.kind]}
        {entry.reason !== null && <bdi className="ml-2 text-sm text-muted">{entry.reason}</bdi>}
        <SmallTime at={entry.at} />
      </td>
      <TimeCell at={entry.at} />
      {isPart ? (
        <MutedCell>{usdInColumn(entry.charged ?? entry.change.replace('-', ''))}</MutedCell>
      ) : (
        <ChangeCell change={entry.change} />
      )}
      <BalanceCell balance={balance} />
    </tr>
  )
}

function SmallTime({ at }: { at: string }) {
  return (
    <time dateTime={at} className="block text-sm text-muted sm:hidden">
      {when(at)}
    </time>
  )
}

function TimeCell({ at }: { at: string }) {
  return (
    <td className="hidden py-2.5 text-sm text-muted sm:table-cell">
      <time dateTime={at}>{when(at)}</time>
    </td>
  )
}

function MutedCell({ children }: { children: ReactNode }) {
  return (
    <td className="numbers py-2.5 text-right text-sm whitespace-nowrap text-muted">{children}</td>
  )
}

function ChangeCell({ change }: { change: string }) {
  const isGain = microsOf(change) > 0n
  const tone = isGain ? 'text-accent' : ''
  return (
    <td className={`numbers py-2.5 text-right whitespace-nowrap ${tone}`}>
      {isGain ? '+' : ''}
      {usdInColumn(change)}
    </td>
  )
}

function BalanceCell({ balance }: { balance: string | null }) {
  return (
    <td className="numbers py-2.5 pl-4 text-right whitespace-nowrap text-muted">
      {balance !== null && usdInColumn(balance)}
    </td>
  )
}
