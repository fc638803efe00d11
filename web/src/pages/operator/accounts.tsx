/** Accounts of the console: found by address or id. One account with the acts for it. */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { OperatorAccountDetails } from '../../api/account.ts'
import {
  accountQuery,
  accountsQuery,
  actOnConsole,
  CONSOLE_PAGE,
  costsQuery,
} from '../../api/operator.ts'
import { count, counted, megabytes, usd, usdInColumn, when } from '../../format.ts'
import { Button, Field, Section } from '../../parts/controls.tsx'
import { fieldsOf } from '../../parts/entrance.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Waiting } from '../../parts/states.tsx'
import { AccountLink } from './account-link.tsx'
import { ActForm } from './act-form.tsx'
import { jobRow, JOB_COLUMNS } from './job-row.tsx'
import { ConsoleTable } from './table.tsx'

export function AccountsPart() {
  const { id } = useSearch({ strict: false }) as { id?: string }
  return id === undefined ? <AllAccounts /> : <OneAccount id={id} />
}

function AllAccounts() {
  const [q, setQ] = useState('')
  const [offset, setOffset] = useState(0)
  const query = useQuery(accountsQuery(q, offset))
  const { data } = query
  return (
    <div className="space-y-10">
      <div>
        <form
          role="search"
          className="mb-6 flex items-end gap-3"
          onSubmit={(event) => {
            setQ(fieldsOf(event)('q'))
            setOffset(0)
          }}
        >
          <Field
            label="Part of an email address, or an ID"
            name="q"
            type="search"
            className="flex-1"
          />
          <Button type="submit">Search</Button>
        </form>
        <Waiting query={query} lines={4} label="Loading the accounts" />
        {data !== undefined && (
          <>
            <ConsoleTable
              name="Accounts"
              columns={['Account', 'State', 'Available', 'Charged', 'Jobs', 'Last used']}
              rows={data.accounts.map((account) => ({
                key: account.accountId,
                cells: [
                  <AccountLink key="name" id={account.accountId} email={account.email} />,
                  account.state,
                  usdInColumn(account.available),
                  usdInColumn(account.charged),
                  count(account.jobs),
                  account.lastUsedAt === null ? 'never' : when(account.lastUsedAt),
                ],
              }))}
              none="No account matches."
            />
            <Pager offset={offset} limit={CONSOLE_PAGE} total={data.total} onOffset={setOffset} />
          </>
        )}
      </div>
      {data !== undefined && <Costs />}
    </div>
  )
}

function Costs() {
  const query = useQuery(costsQuery)
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  return (
    <Section title="Most platform calls in seven days">
      <ConsoleTable
        name="Use"
        columns={['Account', 'Calls', 'Received', 'CPU', 'Stored', 'Charged']}
        rows={data.costs.map((cost) => ({
          key: cost.accountId,
          cells: [
            <AccountLink key="name" id={cost.accountId} email={cost.email} />,
            count(cost.calls),
            megabytes(cost.receivedBytes),
            `${cost.cpuSeconds.toFixed(1)} s`,
            megabytes(cost.storedBytes),
            usdInColumn(cost.charged),
          ],
        }))}
        none="No usage yet."
      />
    </Section>
  )
}

function OneAccount({ id }: { id: string }) {
  const query = useQuery(accountQuery(id))
  const { data: account } = query
  if (account === undefined) return <Waiting query={query} lines={4} label="Loading the account" />
  return (
    <div className="space-y-10">
      <div className="space-y-4">
        <h2 className="text-xl wrap-anywhere">{account.email}</h2>
        <p className="text-muted">
          <span className="font-mono text-sm wrap-anywhere">{account.accountId}</span>,{' '}
          {account.state}, created {when(account.createdAt)}
        </p>
        <p className="numbers">
          {usd(account.available)} available, {usd(account.held)} held, {usd(account.charged)}{' '}
          charged by {counted(account.jobs, 'job')}
        </p>
        <Acts account={account} />
      </div>
      <Use account={account} />
      <Section title="Open jobs">
        <ConsoleTable name="Open jobs" columns={JOB_COLUMNS} rows={account.openJobs.map(jobRow)} />
      </Section>
      <SignInWaysOf account={account} />
      <Section title="Operator actions">
        <ConsoleTable
          name="Acts"
          columns={['Act', 'When', 'Who', 'Why', 'Detail']}
          rows={account.acts.map((act) => ({
            key: `${act.act} ${act.at}`,
            cells: [act.act.replaceAll('_', ' '), when(act.at), act.by, act.reason, act.detail],
          }))}
        />
      </Section>
    </div>
  )
}

function Use({ account: { today, last30Days } }: { account: OperatorAccountDetails }) {
  return (
    <Section title="Use">
      <ConsoleTable
        name="Usage"
        columns={['', 'Calls', 'Received', 'CPU', 'Stored']}
        rows={[
          { name: 'Today', use: today },
          { name: '30 days', use: last30Days },
        ].map(({ name, use }) => ({
          key: name,
          cells: [
            name,
            count(use.calls),
            megabytes(use.receivedBytes),
            `${use.cpuSeconds.toFixed(1)} s`,
            megabytes(use.storedBytes),
          ],
        }))}
      />
    </Section>
  )
}

function SignInWaysOf({ account }: { account: OperatorAccountDetails }) {
  return (
    <Section title="Sign-in">
      <ul className="space-y-1">
        {account.users.map((user) => (
          <li key={user}>{user}</li>
        ))}
        {account.keys.map(({ prefix, name, revokedAt }) => (
          <li key={prefix}>
            key {prefix}… {name}
            {revokedAt !== null && `, revoked ${when(revokedAt)}`}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Acts({ account: { accountId, state } }: { account: OperatorAccountDetails }) {
  const act = (name: string, body: object) => actOnConsole(`/accounts/${accountId}/${name}`, body)
  if (state === 'deleted') return null
  return (
    <div className="flex flex-wrap gap-3">
      <ActForm
        name="Add credit"
        onAct={(reason, field) => act('credit', { usd: field('usd'), reason })}
      >
        <Field label="USD" name="usd" inputMode="decimal" maxLength={16} required />
      </ActForm>
      {state === 'active' ? (
        <ActForm
          name="Suspend"
          about="Its keys and sessions are refused at once, and its open jobs are cancelled and charged for what they delivered. Money and texts stay. You can resume the account; the jobs stay cancelled."
          isDangerous
          onAct={(reason) => act('suspend', { reason })}
        />
      ) : (
        <ActForm
          name="Resume"
          about="Its keys work again and its users can sign in. Cancelled jobs stay cancelled."
          onAct={(reason) => act('resume', { reason })}
        />
      )}
    </div>
  )
}
