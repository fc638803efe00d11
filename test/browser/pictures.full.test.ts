/**
 * Every page in light, dark and on a phone, and for each what a program can say of it: nothing serious for axe, no
 * sideways scrolling at any width, no shift, few scripts, no complaint; the figures are printed. With PICTURES=1 also
 * pictures for people, in test/browser/out/; VIEWS is a pattern of the names of those to look at.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { adminOn } from '../admin/admin-command.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import {
  type BrowserContext,
  DESK,
  isTooWide,
  noBrowser,
  openWindow,
  type Page,
  PHONE,
  picture,
  runJobOnPage,
  SCRIPT_BYTES_MAX,
  seriousFaults,
  SHIFT_MAX,
  shiftOf,
  signUpInBrowser,
  startSite,
  watchShifts,
} from './site.ts'
import { inside, LEGAL_PAGES, OPERATOR, OUTSIDE, type View } from './views.ts'

const LOOKS = {
  light: { window: { viewport: DESK, colorScheme: 'light' }, axe: 'all' },
  dark: { window: { viewport: DESK, colorScheme: 'dark' }, axe: 'colours' },
  phone: {
    window: {
      viewport: PHONE,
      colorScheme: 'light',
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    },
    axe: 'shapes',
  },
} as const

/** Of tablets and large screens, at which a page of the light look is measured, too. */
const OTHER_WIDTHS = [768, 1440]

const legal = fs.mkdtempSync(path.join(os.tmpdir(), 'pictures-legal-'))
after(() => fs.rmSync(legal, { recursive: true }))
for (const name of LEGAL_PAGES)
  fs.writeFileSync(path.join(legal, `${name}.md`), `# ${name}\n\nWhoever runs this server.\n`)
const env = { LEGAL_DIR: legal, WEBHOOK_ALLOW_PRIVATE: 'true' }
const site = noBrowser === false ? await startSite({ after }, { env }) : null

const ANSWERS = /^https?:\/\/[^/]+\/(?:api\/v1|account)\/(?!.*\/events$)/
/** Longer than the half second in which what a click moves counts for nothing: what it moves later is seen. */
const ANSWER_MS = 550

/** What somebody asked for may move the rest aside; how the page opens, another view shows. */
const ASKED_FOR = /^(?:sign-in|new|job)-|^trial$/

type State = Awaited<ReturnType<BrowserContext['storageState']>>
type Look = keyof typeof LOOKS
type Round = { views: View[]; look: Look; state?: State }

/** What was measured: by view, the shift in each look and the scripts, compressed. */
type Figures = Map<string, { shifts: number[]; scripts: number }>

const WANTED = new RegExp(process.env['VIEWS'] ?? '')

/** Looks at the views in each look, and prints what was measured. */
async function checkAll(t: TestContext, views: View[], state?: State): Promise<void> {
  const figures: Figures = new Map()
  const wanted = views.filter(({ name }) => WANTED.test(name))
  const begun = state === undefined ? {} : { state }
  for (const look of ['light', 'dark', 'phone'] as const)
    await check({ views: wanted, look, ...begun }, figures)
  for (const [name, { shifts, scripts }] of figures)
    t.diagnostic(
      `${name}: shift ${shifts.map((sum) => sum.toFixed(3)).join(', ')} (light, dark, phone), ` +
        `scripts ${(scripts / 1024).toFixed(1)} KB, nothing serious for axe`,
    )
}

async function check({ views, look, state }: Round, figures: Figures): Promise<void> {
  const open = site!
  const { context, page, complaints } = await openWindow(open.browser, {
    ...LOOKS[look].window,
    ...(state === undefined ? {} : { storageState: state }),
  })
  await watchShifts(context)
  // A page is seen before its answers come, however quick the machine: what they move is seen, too.
  await context.route(
    ANSWERS,
    (route) => sleep(ANSWER_MS).then(() => route.fallback().catch(() => undefined)), // the page was left meanwhile
  )
  const faults: string[] = []
  for (const view of views) {
    await page.goto(`${open.origin}${view.path}`)
    await view.ready(page, open).catch(async (cause: unknown) => {
      const shown = await page.locator('body').innerText()
      throw new Error(`${view.name}.${look} shows: ${shown.slice(0, 1_500)}`, { cause })
    })
    await page.locator(LOADING).first().waitFor({ state: 'detached' })
    await page.evaluate('document.fonts.ready.then(() => true)')
    await picture(page, `${view.name}.${look}`, !ONE_SCREEN.has(view.name))
    const seen = await measured(page, view.name, look)
    const { shifts } = figures.get(view.name) ?? { shifts: [] }
    figures.set(view.name, { shifts: [...shifts, seen.shift], scripts: seen.scripts })
    faults.push(...seen.faults.map((fault) => `${view.name}.${look}: ${fault}`))
  }
  await context.close()
  const real = complaints.filter((text) => !/status of (?:40[0-9]|429)/.test(text))
  assert.deepEqual([...faults, ...real], [])
}

/** Bars in the place of what is on its way. */
const LOADING = '[role=status] > .animate-pulse'

/** Their pictures show what is seen at once; the rest is more of the same. */
const ONE_SCREEN = new Set([
  'reader',
  'job',
  'job-running',
  'job-cancelled',
  'job-run-again',
  'reference',
  'reference-operation',
])

async function measured(page: Page, name: string, look: Look) {
  const { sum, parts } = await shiftOf(page)
  const faults = [...(await seriousFaults(page, LOOKS[look].axe))]
  if (sum > SHIFT_MAX && !ASKED_FOR.test(name)) faults.push(`shifts by ${sum}: ${parts.join('; ')}`)
  const scripts = (await page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => /\\.js$/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  )) as number
  if (scripts > SCRIPT_BYTES_MAX) faults.push(`${scripts} bytes of scripts`)
  if (await isTooWide(page)) faults.push('wider than the screen')
  if (look === 'light') {
    for (const width of OTHER_WIDTHS) {
      await page.setViewportSize({ ...DESK, width })
      if (await isTooWide(page)) faults.push(`wider than ${width} px`)
      await picture(page, `${name}.${width}`, !ONE_SCREEN.has(name))
    }
    await page.setViewportSize(DESK)
  }
  return { shift: sum, scripts, faults }
}

test('the pages outside stand in every look', { skip: noBrowser }, async (t) => {
  await checkAll(t, OUTSIDE)
})

test('the pages of a member stand in every look', { skip: noBrowser }, async (t) => {
  const { context, page } = await openWindow(site!.browser)
  await signUpInBrowser(site!, page, 'anna.lindqvist@example.org')
  await page.getByText('Three things to try').waitFor()
  const ready = (one: Page) => one.getByText('Three things to try').waitFor()
  await checkAll(t, [{ name: 'first-steps', path: '/jobs', ready }], await context.storageState())
  await page.goto(`${site!.origin}/account`)
  await page.getByLabel('Name of the new key').fill('my program')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByTestId('new-key').waitFor()
  await page.mouse.move(0, 0)
  await picture(page, 'account-new-key.light')
  await page.getByRole('button', { name: 'I have saved it' }).click()

  const webhookPath = await addsWebhook(t, page)
  await followsChannel(page)
  await runJobOnPage(site!, page, 'https://www.youtube.com/@smallworkshop', 8)
  await runJobOnPage(site!, page, 'https://www.youtube.com/@warsha', 5)
  const jobId = await runJobOnPage(
    site!,
    page,
    'https://www.youtube.com/playlist?list=PLLApP7UkM4GCnO7LTxulbG7-bDsxMqTby\nhttps://www.youtube.com/@captionlab',
    120,
  )
  const stand = {
    jobId,
    webhookPath,
    readerPath: await rowPath(page, 'past stream', 'Laboratory: A past stream of two hours'),
    undeliveredPath: await rowPath(page, 'live', 'Laboratory: On air: OK, isLive, no captions yet'),
    collectionPath: await collectionPath(page),
  }
  await checkAll(t, inside(stand), await context.storageState())
  await context.close()
})

/** To a server that is told of each job. */
async function addsWebhook(t: TestContext, page: Page): Promise<string> {
  const receiver = await startReceiver(t)
  await page.goto(`${site!.origin}/webhooks`)
  await page.getByLabel('Address of the server').fill(receiver.url)
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await until('the test arrives', () => receiver.received.length === 1)
  return new URL(page.url()).pathname
}

async function followsChannel(page: Page): Promise<void> {
  await page.goto(`${site!.origin}/following`)
  await page.getByRole('textbox', { name: 'Channel or playlist' }).fill('@smallworkshop')
  await page.getByLabel('At most a month, in dollars').fill('0.5')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('Small Workshop').waitFor()
}

async function rowPath(page: Page, words: string, title: string): Promise<string> {
  await page.getByLabel('Search titles').fill(words)
  const row = page.getByRole('link', { name: title, exact: true }).first()
  await row.waitFor()
  return (await row.getAttribute('href')) ?? ''
}

async function collectionPath(page: Page): Promise<string> {
  await page.goto(`${site!.origin}/library`)
  const link = page.getByRole('link', { name: 'Small Workshop' })
  await link.waitFor()
  return (await link.getAttribute('href')) ?? ''
}

test('the operator’s console stands in every look', { skip: noBrowser }, async (t) => {
  const { context, page } = await openWindow(site!.browser)
  await signUpInBrowser(site!, page, 'ops@example.org')
  const { value } = adminOn(site!.database.url)
  await value('operator', 'grant', '--email', 'ops@example.org')
  await page.goto(`${site!.origin}/operator`)
  await page.getByRole('button', { name: 'Set up an app' }).click()
  const secret = await page.getByTestId('factor-secret').innerText()
  const codes = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  await page.getByLabel('Code').fill(codes.generate())
  await page.getByRole('button', { name: 'Open the console' }).click()
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  await checkAll(t, OPERATOR, await context.storageState())
  await context.close()
})
