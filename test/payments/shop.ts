/** A service that is paid through the payment provider's stand-in, with buying customers. */
import assert from 'node:assert/strict'
import { openPayments } from '../../src/features/money/stripe.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { TestScope } from '../support/database.ts'
import { testService } from '../support/service.ts'
import { startStripeStandIn } from '../support/stripe-stand-in.ts'

export async function openShop(scope: TestScope) {
  const stripe = await startStripeStandIn()
  const { service, database, address, customer } = await testService(scope, {
    env: { ...stripe.env, ROLES: 'api' },
    leavesOpenJobs: true,
  })
  scope.after(() => stripe.close())
  const webhook = `${address}/webhooks/stripe`
  const opened = openPayments(service.context.config)
  assert.ok(opened !== null)
  const payments = opened

  /** Opens a checkout of the customer that is not paid yet. */
  async function checkout(
    buyer: Customer,
    usd = 10n,
  ): Promise<{ checkoutId: string; url: string; paymentIntent: string }> {
    const made = await payments.createCheckout({
      accountId: buyer.accountId,
      email: 'buyer@example.org',
      micros: usd * 1_000_000n,
      successUrl: 'http://localhost/paid?checkout={CHECKOUT_SESSION_ID}',
      cancelUrl: 'http://localhost/not-paid',
    })
    return { ...made, paymentIntent: stripe.checkouts.get(made.checkoutId)?.paymentIntent ?? '' }
  }

  async function outcomeOf(event: Parameters<typeof stripe.deliver>[0]): Promise<string> {
    const reply = await stripe.deliver(event, webhook)
    assert.equal(reply.status, 200)
    return ((await reply.json()) as { outcome: string }).outcome
  }

  return { stripe, database, webhook, customer, checkout, outcomeOf }
}
