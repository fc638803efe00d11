/** An account whose credit runs out: what it is told at the order, on the job and on Billing, in a real browser. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { noBrowser, openWindow, runJobOnPage, signUpInBrowser, startSite } from './site.ts'

const skip = noBrowser
/** Ten transcripts. */
const env = { WELCOME_CREDIT_USD: '0.08' }
const site = noBrowser === false ? await startSite({ after }, { env }) : null
const OF_BALANCE = /The balance covers/

test(
  'the balance is spoken of where it ends the order, and leads to Billing',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'small-credit@example.org')
    const { playlistId } = site!.platform.world.playlist('seven')
    await runJobOnPage(site!, page, playlistId)
    assert.equal(await page.getByText(OF_BALANCE).count(), 0, 'a list of seven is covered')

    await runJobOnPage(site!, page, '@dailynotes')
    await page.getByText(OF_BALANCE).waitFor()

    await page.goto(`${site!.origin}/new?urls=@warsha`)
    await page.getByText('does not cover one transcript').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Start/ }).count(), 0)
    await page.getByRole('link', { name: 'Add credit to start' }).click()
    await page.waitForURL(`${site!.origin}/billing`)
    await page.getByRole('heading', { name: 'Top up' }).waitFor()
    const parts = await page.getByRole('heading', { level: 2 }).allInnerTexts()
    assert.ok(parts.indexOf('Top up') < parts.indexOf('Jobs'), parts.join())
    assert.deepEqual(complaints, [])
  },
)
