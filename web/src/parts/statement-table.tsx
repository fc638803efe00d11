/**
 * The statement: every movement of the account's money, what ended last first. A job is one line, which opens its
 * entries. Each balance is the one below and its change; what running jobs hold is said beside them, and is in it.
 */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Movement } from '../api/account.ts'
import { STATEMENT_PAGE, statementQuery } from '../api/queries.ts'
import { microsOf, usdInColumn } from '../format.ts'
import { Section } from './controls.tsx'
import { DataTable, FileButton, timeCell } from './data-table.tsx'
import { Fold } from './list-row.tsx'
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
  /** Jobs whose entries are in sight. */
  const [opened, setOpened] = useState<readonly string[]>([])
  const open = (id: string) =>
    setOpened(opened.includes(id) ? opened.filter((one) => one !== id) : [...opened, id])
  const query = useQuery(statementQuery(offset))
  const { data } = query
  return (
    <Section
      title="Statement"
      about="Each balance is the one below and its change; what running jobs hold is still in it."
      action={data?.total ? <FileButton href="/account/statement.csv">CSV</FileButton> : undefined}
    >
      <Waiting query={query} lines={3} label="Loading the statement" />
      {data?.total === 0 && (
        <Empty title="No entries yet">
          Top up above, or start a job: each movement of your money is listed here.
        </Empty>
      )}
      {data !== undefined && data.total > 0 && (
        <>
          <DataTable
            name="Statement"
            rows={data.movements.flatMap((one) => linesOf(one, opened, open))}
            keyOf={({ key }) => key}
            columns={({ figure, wide }) => ({
              What: ({ what }) => what,
              When: wide(({ at }) => timeCell(at)),
              Change: figure(({ change }) => change),
              Balance: figure(({ balance }) => balance && usdInColumn(balance)),
            })}
          />
          <Pager offset={offset} limit={STATEMENT_PAGE} total={data.total} onOffset={setOffset} />
        </>
      )}
    </Section>
  )
}

/** A line of the table; parts of a job's line have no balance. */
type Line = { key: string; what: ReactNode; at: string; change: ReactNode; balance: string | null }

/** Returns a movement's line, and below it the entries of a job that is open. */
function linesOf(movement: Movement, opened: readonly string[], onOpen: (id: string) => void) {
  const { jobId, title, batch, change, held, balance, entries } = movement
  const [first] = entries
  const last = entries.at(-1)
  if (first === undefined || last === undefined) return []
  if (jobId === null) return [lineOf(first, { change: <Change change={first.change} />, balance })]
  const isOpen = opened.includes(jobId)
  const isRunning = microsOf(held) > 0n
  const what = (
    <>
      <TextLink to="/jobs/$id" params={{ id: jobId }} className="wrap-anywhere" dir="auto">
        {title}
      </TextLink>
      <span className="ml-3">
        <Fold
          isOpen={isOpen}
          onClick={() => onOpen(jobId)}
          aria-label={`Entries of ${title ?? 'the job'}`}
        />
      </span>
      {isRunning && <span className="text-sm text-muted">running</span>}
      {batch !== null && <br />}
      <OfBatch batch={batch} />
    </>
  )
  const moved = isRunning ? <Beside>{usdInColumn(held)} held</Beside> : <Change change={change} />
  const parts = isOpen ? entries : []
  return [
    { key: jobId, what, at: last.at, change: moved, balance },
    ...parts.map((entry) => {
      const amount = usdInColumn(entry.charged ?? entry.change.replace('-', ''))
      return lineOf(entry, { change: <Beside>{amount}</Beside>, balance: null })
    }),
  ]
}

function lineOf(
  { number, kind, reason, at }: MovementEntry,
  amounts: Pick<Line, 'change' | 'balance'>,
): Line {
  const what = (
    <span className={amounts.balance === null ? 'pl-4 text-sm text-muted' : ''}>
      {KINDS[kind]}
      {reason !== null && <bdi className="ml-2 text-sm text-muted">{reason}</bdi>}
    </span>
  )
  return { key: String(number), what, at, ...amounts }
}

/** An amount that changes no balance. */
function Beside({ children }: { children: ReactNode }) {
  return <span className="text-sm text-muted">{children}</span>
}

function Change({ change }: { change: string }) {
  const isGain = microsOf(change) > 0n
  return (
    <span className={isGain ? 'text-accent' : ''}>
      {isGain ? '+' : ''}
      {usdInColumn(change)}
    </span>
  )
}
