/**
 * Webhooks on the website: made, tested, told of a job, replayed, given another secret and deleted, in a real browser.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { until } from '../support/until.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { noBrowser, openWindow, runJobOnPage, signUpInBrowser, startSite } from './site.ts'

const skip = noBrowser
const site =
  noBrowser === false
    ? await startSite({ after }, { env: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
    : null

test(
  'a member has a server told of final jobs, and sees what was sent and answered',
  { skip },
  async (t) => {
    const receiver = await startReceiver(t)
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'hooked@example.org')
    const shown = async () => (await page.getByTestId('new-secret').innerText()).trim()
    const isGenuine = (at: number, secret: string): boolean => {
      const { body, headers } = receiver.received[at]!
      try {
        return new Webhook(secret).verify(body, headers) !== undefined
      } catch {
        return false
      }
    }

    // An address that cannot be is refused by a sentence on the page, and nothing is made.
    await page.goto(`${site!.origin}/webhooks`)
    await page.getByRole('heading', { name: 'Add a webhook' }).waitFor()
    await page.getByLabel('URL').fill('ftp://example.org/hooks')
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await page.getByText('The address must be an absolute http or https URL').waitFor()
    assert.equal(complaints.splice(0).filter((text) => !text.includes('400')).length, 0)

    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    const secret = await shown()
    assert.match(secret, /^whsec_/)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('link', { name: receiver.url }).click()

    await page.getByRole('button', { name: 'Send a test' }).click()
    await until('the test arrives', () => receiver.received.length === 1)
    assert.ok(isGenuine(0, secret))

    // A receiver that answers 500 is seen in the log with its words, beside the second attempt, which it takes.
    receiver.answers = () =>
      receiver.received.length === 2 ? { status: 500, body: 'no room in the inn' } : 204
    const jobId = await runJobOnPage(site!, page, '@dailynotes', 3)
    await until('the job arrives, and again', () => receiver.received.length === 3)
    for (const { id, event } of receiver.received.slice(1))
      assert.deepEqual([id, event['data'].id], [receiver.received[1]?.id, jobId])
    await page.goto(`${site!.origin}/webhooks`)
    await page.getByRole('link', { name: receiver.url }).click()
    const [line] = [page.getByRole('listitem').filter({ hasText: 'Request and answers' }).first()]
    await line.getByText('Request and answers').click()
    await line.getByText('no room in the inn').waitFor()

    // Signatures with either secret are valid after a rotation; an event that is sent again has its old id.
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click()
    const next = await shown()
    assert.notEqual(next, secret)
    await line.getByRole('button', { name: 'Send again' }).click()
    await until('it arrives once more', () => receiver.received.length === 4)
    assert.equal(receiver.received[3]?.id, receiver.received[1]?.id)
    assert.deepEqual([isGenuine(3, secret), isGenuine(3, next)], [true, true])

    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Send a test' }).isDisabled())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Add a webhook' }).waitFor()
    assert.deepEqual(complaints, [])
  },
)
