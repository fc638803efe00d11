/** The account: money, keys and ways to sign in. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { fundsQuery, visitQuery } from '../api/queries.ts'
import { ApiKeysSection } from '../parts/api-keys.tsx'
import { Notice } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SignInWays } from '../parts/sign-in-ways.tsx'
import { Failed } from '../parts/states.tsx'
import { StatementTable } from '../parts/statement-table.tsx'
import { TopUp } from '../parts/top-up.tsx'
import { count, usd } from '../format.ts'

const route = getRouteApi('/member/account')

export function AccountPage() {
  const { data: visit } = useQuery(visitQuery)
  return (
    <>
      <PageHead title="Account" name="Account" about={visit?.email ?? ' '} />
      <div className="space-y-12">
        <Paid />
        <Balance />
        <TopUp />
        <StatementTable />
        <ApiKeysSection />
        <SignInWays />
      </div>
    </>
  )
}

/** Back from the payment page: the money arrives by the payment service's message, a moment later. */
function Paid() {
  const { paid } = route.useSearch()
  const client = useQueryClient()
  useEffect(() => {
    if (paid === undefined) return undefined
    const look = () => {
      void client.invalidateQueries({ queryKey: ['funds'] })
      void client.invalidateQueries({ queryKey: ['statement'] })
    }
    const timers = [1_000, 3_000, 8_000].map((ms) => setTimeout(look, ms))
    return () => timers.forEach(clearTimeout)
  }, [client, paid])
  return paid === undefined ? null : (
    <Notice title="Thank you">
      Your payment is being credited; the balance shows it in a moment.
    </Notice>
  )
}

function Balance() {
  const { data, error, refetch } = useQuery(fundsQuery)
  if (error !== null && data === undefined)
    return <Failed error={error} onRetry={() => void refetch()} />
  const facts = [
    ['Reserved by running jobs', data === undefined ? ' ' : usd(data.held)],
    ['Price of a transcript', data === undefined ? ' ' : usd(data.pricePerTranscript)],
    [
      'The balance pays for',
      data === undefined ? ' ' : `${count(data.affordableTranscripts)} transcripts`,
    ],
  ]
  return (
    <section aria-label="Balance" className="flex flex-wrap items-end gap-x-14 gap-y-6">
      <div>
        <p className="eyebrow">Balance</p>
        <p className="numbers font-serif text-[3.25rem] leading-none">
          {data === undefined ? ' ' : usd(data.available)}
        </p>
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="eyebrow">{name}</dt>
            <dd className="numbers mt-0.5 text-lg">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
