/** The statement: every movement of the account's money, newest first. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { StatementEntry } from '../api/account.ts'
import { STATEMENT_PAGE, statementQuery } from '../api/queries.ts'
import { usd, when } from '../format.ts'
import { buttonLook, Section } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'
import { Pager } from './pager.tsx'
import { Empty, Failed, Loading } from './states.tsx'

const KINDS: Record<StatementEntry['kind'], string> = {
  top_up: 'Added',
  adjust: 'Corrected',
  reserve: 'Reserved for a job',
  charge: 'Charged for a job',
  release: 'Released by a job',
}

export function StatementTable() {
  const [offset, setOffset] = useState(0)
  const { data, error, refetch } = useQuery(statementQuery(offset))
  const csv = (
    <a href="/account/statement.csv" download className={buttonLook('plain', 'small')}>
      <DownloadIcon /> CSV
    </a>
  )
  return (
    <Section title="Statement" action={data !== undefined && data.total > 0 ? csv : undefined}>
      {error !== null && data === undefined && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading lines={3} label="Loading the statement" />}
      {data?.total === 0 && (
        <Empty title="No entries yet">Top-ups, reserves and charges are listed here.</Empty>
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
              {data.entries.map((entry) => (
                <Entry key={entry.number} entry={entry} />
              ))}
            </tbody>
          </table>
          <Pager offset={offset} limit={STATEMENT_PAGE} total={data.total} onOffset={setOffset} />
        </>
      )}
    </Section>
  )
}

function Entry({ entry }: { entry: StatementEntry }) {
  const isGain = !entry.change.startsWith('-')
  return (
    <tr>
      <td className="py-2.5 pr-4">
        {entry.jobId === null ? (
          KINDS[entry.kind]
        ) : (
          <Link to="/jobs/$id" params={{ id: entry.jobId }} className="link">
            {KINDS[entry.kind]}
          </Link>
        )}
        {entry.reason !== null && <bdi className="ml-2 text-sm text-muted">{entry.reason}</bdi>}
        <time dateTime={entry.at} className="block text-sm text-muted sm:hidden">
          {when(entry.at)}
        </time>
      </td>
      <td className="hidden py-2.5 text-sm text-muted sm:table-cell">
        <time dateTime={entry.at}>{when(entry.at)}</time>
      </td>
      {entry.charged === null ? (
        <td
          className={`numbers py-2.5 text-right whitespace-nowrap ${isGain ? 'text-accent' : ''}`}
        >
          {isGain ? '+' : ''}
          {usd(entry.change)}
        </td>
      ) : (
        <td className="numbers py-2.5 text-right text-sm text-muted">
          <span className="whitespace-nowrap">{usd(entry.charged)}</span> of the reserve
        </td>
      )}
      <td className="numbers py-2.5 pl-4 text-right whitespace-nowrap text-muted">
        {usd(entry.balance)}
      </td>
    </tr>
  )
}
