/** The first minutes of an operator: the first account, the first click, the second factor, and leaving. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
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

/** The page that says that credit is missing gives it to an operator, behind the second factor. */
async function givesOwnCredit(page: Page): Promise<void> {
  await page.goto(`${site!.origin}/billing`)
  await page.getByText('$5.00').first().waitFor()
  await page.getByRole('button', { name: 'Set up an app' }).click()
  const secret = await page.getByTestId('factor-secret').innerText()
  const codes = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  const timestamp = site!.service.context.now().getTime()
  await page.getByLabel('Code').fill(codes.generate({ timestamp }))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Add credit' }).waitFor()
  await isSound(page, 'Own-credit')
  await page.getByRole('button', { name: 'Add credit' }).click()
  await page.getByText('$15.00').first().waitFor()
  const { rows } = await site!.service.context.pool.query(
    `select actor = account_id as own, reason, detail from operator_act where act = 'add_credit' order by id`,
  )
  assert.deepEqual(rows.at(-1), {
    own: true,
    reason: 'the operator’s own account',
    detail: '$10.00',
  })
}

/** A bookmark and what an app shares open a new job with an address, and order nothing. */
async function takesAddresses(page: Page): Promise<void> {
  await page.goto(`${site!.origin}/settings/apps`)
  const bookmark = page.getByRole('link', { name: 'Send to Scriptorium' })
  const program = (await bookmark.getAttribute('href')) ?? ''
  assert.match(program, /^javascript:/)
  await isSound(page, 'Bookmarklet')
  const elsewhere = `${site!.platform.origin}/emulator/world?video=x&y=ä`
  await page.goto(elsewhere)
  const address = page.url()
  const opened = page.waitForEvent('popup')
  await page.evaluate(decodeURIComponent(program.slice('javascript:'.length)))
  const popup = await opened
  const box = popup.getByLabel('What do you want to read?')
  await box.waitFor()
  assert.equal(await box.inputValue(), address)
  for (const [query, text] of [
    ['title=A+talk&text=Watch+https://youtu.be/x', 'Watch https://youtu.be/x'],
    ['title=A+talk&text=&url=https://youtu.be/x', 'https://youtu.be/x'],
    ['title=https://youtu.be/x&text=look', 'https://youtu.be/x'],
  ]) {
    await popup.goto(`${site!.origin}/new?${query}`)
    await box.waitFor()
    assert.equal(await box.inputValue(), text, query)
  }
  await popup.close()
  const { rows } = await site!.service.context.pool.query('select count(*)::int as n from job')
  assert.equal(rows[0].n, 0, 'nothing is ordered by an address')
  const manifest = await fetch(`${site!.origin}/app.webmanifest`)
  assert.match(manifest.headers.get('content-type') ?? '', /^application\/manifest\+json/)
  const { icons, share_target: target } = (await manifest.json()) as any
  assert.equal(target.action, '/new')
  for (const { src } of icons) assert.equal((await fetch(site!.origin + src)).status, 200)
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
    await givesOwnCredit(page)
    await takesAddresses(page)

    await page.goto(`${site!.origin}/settings/data`)
    await page.getByRole('button', { name: 'Delete this account' }).click()
    const leaves = page.getByRole('button', { name: 'Delete the account' })
    await leaves.waitFor()
    assert.ok(await leaves.isDisabled(), 'nothing is deleted before its address is typed')
    await page.getByLabel(`Type ${EMAIL}`).fill(EMAIL)
    await page.getByLabel('I give up the $15.00 that are left').check()
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
