/** Billing: the balance, topping it up, what jobs cost with their receipts, invoices, and the statement. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ask, type Booked } from '../api/account.ts'
import { fundsQuery } from '../api/queries.ts'
import { Notice, Section } from '../parts/controls.tsx'
import { InvoicesSection } from '../parts/invoices.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SpendingSection } from '../parts/spending.tsx'
import { Failed } from '../parts/states.tsx'
import { StatementTable } from '../parts/statement-table.tsx'
import { TopUp } from '../parts/top-up.tsx'
import { counted, usd } from '../format.ts'
import { PAGE_NAMES } from '../words.ts'
import { UsageSection } from '../parts/usage.tsx'
import { TextLink } from '../parts/text-link.tsx'

const route = getRouteApi('/member/billing')

export function MoneyPage() {
  return (
    <>
      <PageHead name={PAGE_NAMES.billing} />
      <div className="space-y-12">
        <Paid />
        <div className="grid gap-x-16 gap-y-12 lg:grid-cols-2">
          <Balance />
          <div className="space-y-12">
            <TopUp />
          </div>
        </div>
        <UsageSection />
        <SpendingSection />
        <InvoicesSection />
        <StatementTable />
      </div>
    </>
  )
}

/**
 * Shows a payment after the return from the payment page: the money arrives a moment later, by the payment service's
 * message.
 */
function Paid() {
  const { paid } = route.useSearch()
  const client = useQueryClient()
  const { amount, patience } = useBooked(paid)
  useEffect(() => {
    if (amount === null) return
    for (const part of ['funds', 'statement', 'invoices'])
      void client.invalidateQueries({ queryKey: [part] })
  }, [client, amount])
  if (paid === undefined) return null
  if (amount !== null)
    return (
      <Notice title="Thank you">
        Your payment of {usd(amount)} has arrived and is in your balance.
      </Notice>
    )
  if (patience === 'over') return <NotArrived checkoutId={paid} />
  return (
    <Notice title="Thank you">
      {patience === 'late'
        ? 'Your payment has not arrived yet; some payment methods take days. Your balance will show it.'
        : 'Your payment is being credited; this takes a moment.'}
    </Notice>
  )
}

/** Explains an old address, a payment that was not made, or one that takes days. */
function NotArrived({ checkoutId }: { checkoutId: string }) {
  return (
    <Notice tone="warn" title="No payment has arrived from this link">
      <p className="mt-1">
        If you did not pay, nothing was charged. If you have just paid, your balance and the list of
        top-ups show the payment once it arrives; some payment methods take days. If you were
        charged and it never shows up, tell the operator of this service{' '}
        <code className="wrap-anywhere">{checkoutId}</code>.{' '}
        <TextLink to="/billing">Close this notice</TextLink>
      </p>
    </Notice>
  )
}

const BOOKED_LOOK_MS = 1_000
const BOOKED_SOON_MS = 30_000
const BOOKED_LATER_LOOK_MS = 30_000
const BOOKED_LOOKED_FOR_MS = 600_000
/** Matches the payment service's names of checkouts; anything else in the address is no checkout. */
const CHECKOUT = /^cs_\w+$/

type Patience = 'soon' | 'late' | 'over'

/**
 * Returns the amount of a checkout's payment: reads it until it is booked, less often after half a minute, for ten
 * minutes.
 */
function useBooked(checkoutId = ''): { amount: string | null; patience: Patience } {
  const [patience, setPatience] = useState<Patience>('soon')
  useEffect(() => {
    const timers = [
      setTimeout(() => setPatience('late'), BOOKED_SOON_MS),
      setTimeout(() => setPatience('over'), BOOKED_LOOKED_FOR_MS),
    ]
    return () => timers.forEach(clearTimeout)
  }, [])
  const isCheckout = CHECKOUT.test(checkoutId)
  const { data } = useQuery({
    queryKey: ['booked', checkoutId],
    queryFn: () => ask<Booked>('GET', `/top-up/${encodeURIComponent(checkoutId)}`),
    enabled: isCheckout,
    refetchInterval: ({ state }) => {
      if (state.data?.amount != null || patience === 'over') return false
      return patience === 'late' ? BOOKED_LATER_LOOK_MS : BOOKED_LOOK_MS
    },
  })
  return { amount: data?.amount ?? null, patience: isCheckout ? patience : 'over' }
}

function Balance() {
  const { data, error, refetch } = useQuery(fundsQuery)
  if (error !== null && data === undefined)
    return <Failed error={error} onRetry={() => void refetch()} />
  // Lines keep their height while their amounts are on the way.
  const facts = [
    ['Reserved by running jobs', data && usd(data.held)],
    ['Price of a transcript', data && usd(data.pricePerTranscript)],
    ['The balance pays for', data && counted(data.affordableTranscripts, 'transcript')],
  ]
  return (
    <Section title="Balance">
      <p className="numbers font-serif text-[3.25rem] leading-none">
        {data === undefined ? ' ' : usd(data.available)}
      </p>
      <dl className="mt-6 max-w-md text-[0.9375rem]">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-x-6 py-1.5">
            <dt className="text-muted">{name}</dt>
            <dd className="numbers">{value ?? '\u00a0'}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
