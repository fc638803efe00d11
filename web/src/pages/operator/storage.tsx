/** The service's use of the disk, how it grows, and the backups that still hold data deleted since. */
import { useQuery } from '@tanstack/react-query'
import type { OperatorStorage } from '../../api/account.ts'
import { storageQuery } from '../../api/operator.ts'
import { count, dayOfYear, megabytes, when } from '../../format.ts'
import { Bars } from '../../parts/bars.tsx'
import { Notice, Section } from '../../parts/controls.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Waiting } from '../../parts/states.tsx'
import { AccountLink } from './detail.tsx'

export function StoragePart() {
  const query = useQuery(storageQuery)
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  const whole = data.growth.reduce((sum, { storedBytes }) => sum + storedBytes, 0)
  return (
    <div className="space-y-10">
      <Section title="Growth" about="Transcript bytes added on each of the last 30 days.">
        <Bars
          name="Growth"
          said={`${megabytes(whole)} in 30 days`}
          bars={data.growth.map(({ day, storedBytes }) => ({
            key: day,
            label: dayOfYear(day),
            words: megabytes(storedBytes),
            parts: [{ look: 'bg-accent', size: storedBytes }],
          }))}
        />
        <p className="numbers text-sm text-muted">{megabytes(whole)} in 30 days</p>
      </Section>
      <Section title="Database" about={`${megabytes(data.databaseBytes)} in all.`}>
        <DataTable
          name="Largest tables"
          rows={data.tables}
          keyOf={({ name }) => name}
          columns={({ figure }) => ({
            Table: ({ name }) => name,
            'In all': figure(({ bytes }) => megabytes(bytes)),
            Indexes: figure(({ indexBytes }) => megabytes(indexBytes)),
            'Long values': figure(({ toastBytes }) => megabytes(toastBytes)),
            'Rows, about': figure(({ rows }) => count(rows)),
          })}
        />
      </Section>
      <Section
        title="Accounts"
        about="Estimated from texts when they were stored. Rows, history and indexes count for no account."
      >
        <DataTable
          name="Most texts"
          rows={data.accounts}
          keyOf={({ accountId }) => accountId}
          columns={({ figure }) => ({
            Account: ({ accountId, email }) => <AccountLink id={accountId} email={email} />,
            'Texts, about': figure(({ textBytes }) => megabytes(textBytes)),
          })}
          none="No texts are stored."
        />
      </Section>
      <BackupsSection {...data} />
    </div>
  )
}

function BackupsSection({ backups: { folder, problem, files } }: OperatorStorage) {
  const about =
    folder === null
      ? 'Set BACKUP_DIR to list backups that still hold deleted accounts.'
      : `In ${folder}, as the process that answers sees it.`
  return (
    <Section title="Backups" about={about}>
      {problem !== null && <Notice tone="warn">{problem}</Notice>}
      {folder !== null && problem === null && (
        <DataTable
          name="Backups"
          rows={files}
          keyOf={({ file }) => file}
          columns={({ figure }) => ({
            File: ({ file }) => <span className="wrap-anywhere">{file}</span>,
            Written: ({ createdAt }) => when(createdAt),
            'Deleted accounts in it': figure(({ deletedAccounts }) => count(deletedAccounts)),
            'To be removed': ({ isDue, removeBy }) =>
              isDue ? (
                <strong className="text-danger">now: it is too old</strong>
              ) : (
                `by ${when(removeBy)}`
              ),
          })}
          none="There is no backup."
        />
      )}
    </Section>
  )
}
