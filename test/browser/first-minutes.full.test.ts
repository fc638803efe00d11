/** The first minutes of an operator: the first account, the first click, the second factor, and leaving. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { DESK, noBrowser, openWindow, PHONE, picture, seriousFaults, startSite } from './site.ts'

const skip = noBrowser
const site = skip === false ? await startSite({ after }) : null
const EMAIL = 'operator@example.org'
const PASSWORD = 'a-house-of-words-9'

async function isSound(page: Page, name: string): Promise<void> {
  assert.deepEqual(await seriousFaults(page), [], name)
  await picture(page, name)
}

test(
  'the printed link makes the operator’s account; its first click works, its second factor can be scanned, and leaving is confirmed',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    const link = `${site!.origin}/sign-up#code=${site!.service.context.firstRun?.code}`
    await page.goto(`${site!.origin}/sign-in`)
    await page.getByText('Nobody has an account here yet.').waitFor()
    await isSound(page, 'Sign-in-first')
    await page.goto(link)
    await page.reload() // only the fragment differs from an address that may be open already
    await page.getByRole('heading', { name: 'First account' }).waitFor()
    for (const size of [PHONE, DESK]) {
      await page.setViewportSize(size)
      await isSound(page, `First-account-${size.width}`)
    }
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the operator’s account' }).click()
    await page.waitForURL(`${site!.origin}/library`)

    await page.getByRole('link', { name: 'Try a video' }).click()
    await page.getByLabel('What do you want to read?').waitFor()
    const example = await page.getByLabel('What do you want to read?').inputValue()
    const videoId = new URL(example).searchParams.get('v') ?? ''
    const world = await fetch(`${site!.platform.origin}/emulator/world?video=${videoId}`)
    const { videos } = (await world.json()) as { videos: { status: string }[] }
    assert.equal(videos[0]?.status, 'success', example)

    await page.goto(`${site!.origin}/operator`)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await page.getByRole('img', { name: 'The secret, to be scanned' }).waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await isSound(page, 'Factor-dark')
    await page.emulateMedia({ colorScheme: 'light' })

    await site!.service.context.pool.query(
      `update sign_in_session set created_at = created_at - interval '1 hour'`,
    )
    await page.reload()
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await page.waitForURL(/\/sign-in\?next=/)
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${site!.origin}/operator`)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await page.getByTestId('factor-secret').waitFor()

    await page.goto(`${site!.origin}/settings/data`)
    await page.getByRole('button', { name: 'Delete this account' }).click()
    const leaves = page.getByRole('button', { name: 'Delete the account' })
    await leaves.waitFor()
    assert.ok(await leaves.isDisabled(), 'nothing is deleted before its address is typed')
    await page.getByLabel(`Type ${EMAIL}`).fill(EMAIL)
    await leaves.click()
    await page.getByText('Your account was deleted.').waitFor()
    await isSound(page, 'Left')
    await page.goto(link)
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    assert.deepEqual(
      complaints.filter((text) => !text.includes('403')),
      [],
    )
  },
)
