/** Taking all data along, and deleting the account. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../api/account.ts'
import { fundsQuery, visitQuery } from '../api/queries.ts'
import { microsOf, usdOfMicros } from '../format.ts'
import { forgetSearches } from '../kept-searches.ts'
import { Confirm } from './confirm.tsx'
import { buttonLook, Field, Section } from './controls.tsx'

export function LeavingSection() {
  return (
    <>
      <Section
        title="Your data"
        about="One ZIP with the account, its statement, all jobs, receipts and transcripts, readable without us."
      >
        <a href="/account/export.zip" download className={buttonLook()}>
          Download everything
        </a>
      </Section>
      <Section
        title="Delete the account"
        about="At once and for good, with all texts, jobs and keys."
      >
        <DeleteAccount />
      </Section>
    </>
  )
}

function DeleteAccount() {
  const { data: visit } = useQuery(visitQuery)
  const { data: funds } = useQuery(fundsQuery)
  const [email, setEmail] = useState('')
  const [givesUpMoney, setGivesUpMoney] = useState(false)
  // Reserves of running jobs come back, except for what these have delivered.
  const left = funds === undefined ? 0n : microsOf(funds.available) + microsOf(funds.held)
  const isNamed = email.trim().toLowerCase() === visit?.email?.toLowerCase()
  const leave = async () => {
    await ask('POST', '/delete', { email, givesUpMoney })
    forgetSearches()
    location.assign('/welcome?left=true')
  }
  return (
    <Confirm
      trigger="Delete this account"
      triggerLook={buttonLook('danger')}
      title="Delete this account for good?"
      action="Delete the account"
      isDangerous
      isReady={isNamed && (left === 0n || givesUpMoney)}
      onConfirm={leave}
    >
      <p>
        Running jobs are cancelled and settled. Texts, jobs, keys, connected apps and sign-ins are
        deleted. Accounting records stay, without your name. A keyed hash of your address is kept
        for two years, so that nobody gets welcome credit twice, and free calls used today stay
        used. Earlier backups keep a copy until they are removed. This cannot be undone.
      </p>
      {left > 0n && (
        <label className="flex items-start gap-2.5 text-ink">
          <input
            type="checkbox"
            checked={givesUpMoney}
            onChange={({ target }) => setGivesUpMoney(target.checked)}
            className="mt-1 size-4.5 accent-accent"
          />
          I give up the {usdOfMicros(left)} that are left
        </label>
      )}
      <Field
        label={`Type ${visit?.email ?? 'your address'}`}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
    </Confirm>
  )
}
