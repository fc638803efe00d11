/** Accounts of the console: found by address or id. One account with the acts for it. */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { OperatorAccountDetails, OperatorAccounts } from '../../api/account.ts'
import {
  accountQuery,
  accountsQuery,
  actOnConsole,
  CONSOLE_PAGE,
  costsQuery,
} from '../../api/operator.ts'
import {
  count,
  counted,
  megabytes,
  microsOf,
  recently,
  usd,
  usdInColumn,
  usdOfMicros,
  when,
} from '../../format.ts'
import { DayBars } from '../../parts/bars.tsx'
import { Field, Section } from '../../parts/controls.tsx'
import { CopyId } from '../../parts/copy.tsx'
import { type Columns, columnsOf, DataTable } from '../../parts/data-table.tsx'
import { ListHead, ListSearch } from '../../parts/list-head.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Waiting } from '../../parts/states.tsx'
import { useTypedWord } from '../../parts/use-typed-word.ts'
import { ActForm } from './act-form.tsx'
import { JobTable } from './job-table.tsx'
import { AccountLink, Detail, Figures, Named } from './detail.tsx'

export function AccountsPart() {
  const { id } = useSearch({ strict: false }) as { id?: string }
  return id === undefined ? <AllAccounts /> : <OneAccount id={id} />
}

function AllAccounts() {
  const [q, setQ] = useState('')
  const [offset, setOffset] = useState(0)
  const { typed, setTyped } = useTypedWord(q, (word) => {
    setQ(word)
    setOffset(0)
  })
  const query = useQuery(accountsQuery(q, offset))
  const { data } = query
  return (
    <div className="space-y-10">
      <div>
        <ListHead
          id="accounts"
          title={data === undefined ? '\u00a0' : counted(data.total, 'account')}
        >
          <ListSearch
            label="Part of an email address, or an ID"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            className="sm:w-72"
          />
        </ListHead>
        <Waiting query={query} lines={4} label="Loading the accounts" />
        {data !== undefined && (
          <>
            <DataTable
              name="Accounts"
              rows={data.accounts}
              keyOf={({ accountId }) => accountId}
              columns={({ figure, wide }) => ({
                Account: ({ accountId, email }) => <AccountLink id={accountId} email={email} />,
                State: wide(({ state }) => <Named name={state} />),
                Available: figure(({ available }) => usdInColumn(available)),
                Charged: figure(({ charged }) => usdInColumn(charged)),
                Jobs: wide(figure(({ jobs }) => count(jobs))),
                'Charged in 30 days': wide((account) => (
                  <DayBars days={account.days} said={lastDays(account)} isSmall />
                )),
                'Last used': wide(({ lastUsedAt }) =>
                  lastUsedAt === null ? 'never' : recently(lastUsedAt),
                ),
              })}
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

type Use = OperatorAccountDetails['today']
const { figure } = columnsOf<Use>()
const USE: Columns<Use> = {
  Calls: figure(({ calls }) => count(calls)),
  Received: figure(({ receivedBytes }) => megabytes(receivedBytes)),
  CPU: figure(({ cpuSeconds }) => `${cpuSeconds.toFixed(1)} s`),
  Stored: figure(({ storedBytes }) => megabytes(storedBytes)),
}

function Costs() {
  const query = useQuery(costsQuery)
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  return (
    <Section title="Most platform calls in seven days">
      <DataTable
        name="Use"
        rows={data.costs}
        keyOf={({ accountId }) => accountId}
        columns={({ figure }) => ({
          Account: ({ accountId, email }) => <AccountLink id={accountId} email={email} />,
          ...USE,
          Charged: figure(({ charged }) => usdInColumn(charged)),
        })}
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
          <Named name={account.state} /> · created {recently(account.createdAt)} · ID{' '}
          <CopyId id={account.accountId} />
        </p>
        <Figures
          figures={[
            ['Available', usd(account.available)],
            ['Held', usd(account.held)],
            ['Charged', usd(account.charged)],
            ['Jobs', count(account.jobs)],
          ]}
        />
        <Acts account={account} />
      </div>
      <Section title="Charged by day" about={lastDays(account)}>
        <DayBars days={account.days} said={lastDays(account)} />
      </Section>
      <UseOf account={account} />
      <Section title="Open jobs">
        <JobTable name="Open jobs" jobs={account.openJobs} />
      </Section>
      <SignInWaysOf account={account} />
      <Section title="Operator actions">
        <DataTable
          name="Acts"
          rows={account.acts}
          keyOf={({ act, at }) => `${act} ${at}`}
          columns={() => ({
            Act: ({ act }) => <Named name={act} />,
            When: ({ at }) => recently(at),
            Who: ({ by }) => by,
            Why: ({ reason }) => reason,
            Detail: ({ detail }) => <Detail text={detail} />,
          })}
        />
      </Section>
    </div>
  )
}

/** Says what an account was charged in its last days. */
function lastDays({ days }: OperatorAccounts['accounts'][number]): string {
  const micros = days.reduce((sum, { charged }) => sum + microsOf(charged), 0n)
  const transcripts = days.reduce((sum, day) => sum + day.transcripts, 0)
  return `${usdOfMicros(micros)} for ${counted(transcripts, 'transcript')} in ${counted(days.length, 'day')}`
}

function UseOf({ account: { today, last30Days } }: { account: OperatorAccountDetails }) {
  return (
    <Section title="Use">
      <DataTable
        name="Usage"
        rows={[
          { time: 'Today', ...today },
          { time: '30 days', ...last30Days },
        ]}
        keyOf={({ time }) => time}
        columns={() => ({ Time: ({ time }) => time, ...USE })}
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
    <div className="flex flex-wrap items-start gap-3">
      <ActForm
        name="Add credit"
        onAct={(reason, field) => act('credit', { usd: field('usd'), reason })}
      >
        <Field label="USD" name="usd" inputMode="decimal" maxLength={16} autoFocus required />
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
