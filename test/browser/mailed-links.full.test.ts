/**
 * Links of mails in a real browser: opened in another browser than the one that signed up, after a forgotten password,
 * and of another address.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD } from '../account/visitor.ts'
import {
  noBrowser,
  goToAccount,
  openWindow,
  picture,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'

const site = noBrowser === false ? await startSite({ after }) : null
const skip = noBrowser

test(
  'a link opened in another browser asks for the password that was chosen',
  { skip },
  async () => {
    const { origin, browser, mailBox } = site!
    const [there, here] = [await openWindow(browser), await openWindow(browser)]
    await there.page.goto(`${origin}/sign-up`)
    await there.page.getByLabel('Email').fill('elsewhere@example.org')
    await there.page.getByLabel('Password').fill('password123')
    await there.page.getByRole('button', { name: 'Create the account' }).click()
    await there.page.getByText('attackers try this one early').waitFor()
    await there.page.getByLabel('Password').fill(PASSWORD)
    await there.page.getByRole('button', { name: 'Create the account' }).click()
    await there.page.getByText('Open it in this browser').waitFor()

    const { page } = here
    await page.goto((await mailBox.newestTo('elsewhere@example.org')).link ?? '')
    await page.getByText('This is not the browser that signed up').waitFor()
    await page.getByLabel('Password chosen at sign-up').fill('not that password')
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByText('This is not the password').waitFor()
    await page.getByLabel('Password chosen at sign-up').fill(PASSWORD)
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByText('Three things to try').waitFor()
    for (const { context } of [there, here]) await context.close()
  },
)

test('after a forgotten password the page tells of keys and revokes them', { skip }, async () => {
  const { origin, browser, mailBox } = site!
  const { context, page, complaints } = await openWindow(browser)
  await signUpInBrowser(site!, page, 'forgot@example.org')
  await goToAccount(page, 'API keys')
  await page.getByLabel('Name of the new key').fill('old program')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByTestId('new-key').waitFor()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await goToAccount(page)
  await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('link', { name: 'Create an account' }).first().waitFor()

  await page.goto(`${origin}/forgot`)
  await page.getByLabel('Email').fill('forgot@example.org')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.goto((await mailBox.newestTo('forgot@example.org', 2)).link ?? '')
  await page.getByLabel('New password').fill('quite another sentence')
  await page.getByRole('button', { name: 'Save this password' }).click()
  await page.getByText('1 API key still works').waitFor()
  await page.getByRole('button', { name: 'Revoke them all' }).click()
  await page.getByText('1 API key revoked').waitFor()
  await page.getByRole('link', { name: 'Sign in with the new password' }).click()
  await page.getByLabel('Email').fill('forgot@example.org')
  await page.getByLabel('Password').fill('quite another sentence')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${origin}/library`)
  assert.deepEqual(complaints, [])
  await context.close()
})

test(
  'one browser signs another one out, and takes its account to another address',
  { skip },
  async () => {
    const { origin, browser, mailBox } = site!
    const [{ context, page, complaints }, there] = [
      await openWindow(browser),
      await openWindow(browser, { userAgent: 'Mozilla/5.0 (iPhone) Version/26.0 Safari/604.1' }),
    ]
    await signUpInBrowser(site!, page, 'moving@example.org')
    await there.page.goto(`${origin}/sign-in?next=%2Faccount`)
    await there.page.getByLabel('Email').fill('moving@example.org')
    await there.page.getByLabel('Password').fill(PASSWORD)
    await there.page.getByRole('button', { name: 'Sign in' }).click()
    await there.page.getByText('Safari on an iPhone').waitFor()
    await there.page.getByRole('link', { name: 'Notifications' }).click()
    const mails = there.page.getByRole('checkbox', { name: 'Send me an email' })
    await mails.waitFor()

    await goToAccount(page)
    const other = page.getByRole('listitem').filter({ hasText: 'Safari on an iPhone' })
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign it out' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await other.waitFor({ state: 'detached' })
    await mails.click()
    await there.page.getByText('You are signed out.').waitFor()
    assert.equal(await there.page.getByText(/\$\d/).count(), 0)

    await page.getByLabel('New email address').fill('moved@example.org')
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change the address' }).click()
    await page.getByText('moved@example.org is not confirmed yet').waitFor()
    await picture(page, 'account-address')
    assert.deepEqual(await seriousFaults(page), [])
    await page.goto((await mailBox.newestTo('moved@example.org')).link ?? '')
    await page.getByRole('button', { name: 'Use this address' }).click()
    await page.getByText('You sign in with moved@example.org').waitFor()
    assert.deepEqual(complaints, [])

    await page.goto((await mailBox.newestTo('moving@example.org', 3)).link ?? '')
    await page.getByRole('button', { name: 'This was not me' }).click()
    await page.getByText('Your account keeps its address').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await mailBox.newestTo('moving@example.org', 4)
    await Promise.all([context.close(), there.context.close()])
  },
)
