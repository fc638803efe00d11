/** The service's use of the disk, how it grows, and the backups that still hold data deleted since. */
import { useQuery } from '@tanstack/react-query'
import type { OperatorStorage } from '../../api/account.ts'
import { storageQuery } from '../../api/operator.ts'
import { count, namedDay, megabytes, when } from '../../format.ts'
import { Notice, Section } from '../../parts/controls.tsx'
import { Waiting } from '../../parts/states.tsx'
import { AccountLink } from './account-link.tsx'
import { ConsoleTable } from './table.tsx'

export function StoragePart() {
  const query = useQuery(storageQuery)
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  const most = Math.max(1, ...data.growth.map(({ storedBytes }) => storedBytes))
  const whole = data.growth.reduce((sum, { storedBytes }) => sum + storedBytes, 0)
  return (
    <div className="space-y-10">
      <Section title="Growth" about="Transcript bytes added on each of the last 30 days.">
        <div
          role="img"
          aria-label={`${megabytes(whole)} in 30 days`}
          className="flex h-24 items-end gap-px border-b border-line"
        >
          {data.growth.map(({ day, storedBytes }) => (
            <span
              key={day}
              title={`${namedDay(day)}: ${megabytes(storedBytes)}`}
              style={{ height: `${(100 * storedBytes) / most}%` }}
              className="min-w-px flex-1 bg-accent"
            />
          ))}
        </div>
        <p className="mt-2 text-sm text-muted">{megabytes(whole)} in 30 days</p>
      </Section>
      <Section title="Database" about={`${megabytes(data.databaseBytes)} in all.`}>
        <ConsoleTable
          name="Largest tables"
          columns={['Table', 'In all', 'Indexes', 'Long values', 'Rows, about']}
          rows={data.tables.map(({ name, bytes, indexBytes, toastBytes, rows }) => ({
            key: name,
            cells: [
              name,
              megabytes(bytes),
              megabytes(indexBytes),
              megabytes(toastBytes),
              count(rows),
            ],
          }))}
        />
      </Section>
      <Section
        title="Accounts"
        about="Estimated from texts when they were stored. Rows, history and indexes count for no account."
      >
        <ConsoleTable
          name="Most texts"
          columns={['Account', 'Texts, about']}
          rows={data.accounts.map(({ accountId, email, textBytes }) => ({
            key: accountId,
            cells: [
              <AccountLink key="account" id={accountId} email={email} />,
              megabytes(textBytes),
            ],
          }))}
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
        <ConsoleTable
          name="Backups"
          columns={['File', 'Written', 'Deleted accounts in it', 'To be removed']}
          rows={files.map(({ file, createdAt, deletedAccounts, isDue, removeBy }) => ({
            key: file,
            cells: [
              <span key="file" className="wrap-anywhere">
                {file}
              </span>,
              when(createdAt),
              count(deletedAccounts),
              isDue ? (
                <strong key="due" className="text-danger">
                  now: it is too old
                </strong>
              ) : (
                `by ${when(removeBy)}`
              ),
            ],
          }))}
          none="There is no backup."
        />
      )}
    </Section>
  )
}
