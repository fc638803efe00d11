/** The section for adding money: by the payment service, or by the operator of this server. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type Answer, ask } from '../api/account.ts'
import { topUpQuery, visitQuery } from '../api/queries.ts'
import { affordable } from '../../../src/model/money/money.ts'
import { counted, microsOf, usd } from '../format.ts'
import { Button, Section } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { lazyPart } from './lazy-part.ts'

const OwnCredit = lazyPart(async () => (await import('../pages/operator/own-credit.tsx')).OwnCredit)

export function TopUp() {
  const { data: offer } = useQuery(topUpQuery)
  const { data: visit } = useQuery(visitQuery)
  if (offer === undefined)
    return (
      <Section title="Top up">
        <div className="h-[4.5rem]" />
      </Section>
    )
  const isOperator = visit?.isOperator === true
  if (offer.amounts.length > 0)
    return (
      <>
        <TopUpForm amounts={offer.amounts} />
        {isOperator && <OperatorsCredit title="Your own credit" />}
      </>
    )
  if (isOperator) return <OperatorsCredit title="Top up" />
  return (
    <Section
      title="Top up"
      about="This server does not take payments. Its operator adds credit to your account; tell them the email address you sign in with."
    />
  )
}

function OperatorsCredit({ title }: { title: string }) {
  return (
    <Section
      title={title}
      about="You run this server: give yourself credit. Like every act of the console it needs your second factor, once in twelve hours, and is in the log."
    >
      <Suspense fallback={<div className="h-[4.5rem]" />}>
        <OwnCredit />
      </Suspense>
    </Section>
  )
}

function TopUpForm({ amounts }: { amounts: string[] }) {
  const [chosen, setChosen] = useState(amounts[Math.min(1, amounts.length - 1)] ?? '')
  const form = useFormWork()
  const submit = form.sends(async () => {
    const { url } = await ask<Answer<'Checkout'>>('POST', '/top-up', { amountUsd: chosen })
    location.assign(url)
  })
  return (
    <Section
      title="Top up"
      about="You pay on our payment partner’s page; the balance is updated as soon as the payment is confirmed."
    >
      <form onSubmit={submit} className="space-y-4">
        <fieldset className="grid max-w-sm gap-3 sm:grid-cols-2">
          <legend className="sr-only">Amount</legend>
          {amounts.map((amount) => (
            <label
              key={amount}
              className="flex cursor-pointer items-center gap-3 rounded-xl border border-line bg-surface px-4 py-3 has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="amount"
                value={amount}
                checked={amount === chosen}
                onChange={() => setChosen(amount)}
                className="size-4 accent-accent"
              />
              <span>
                <span className="numbers block font-semibold">{usd(amount)}</span>
                <span className="numbers block text-sm text-muted">
                  {counted(affordable(microsOf(amount)), 'transcript')}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <FormError error={form.error} />
        <Button type="submit" kind="primary" isBusy={form.isBusy}>
          Pay {usd(chosen)}
        </Button>
      </form>
    </Section>
  )
}
