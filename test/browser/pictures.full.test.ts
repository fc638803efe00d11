/**
 * Every page in light, dark and on a phone, and for each what a program can say of it: nothing serious for axe,
 * no sideways scrolling, no shift, no complaint. With PICTURES=1 also pictures for people, in test/browser/out/.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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
  seriousFaults,
  SHIFT_MAX,
  shiftOf,
  signUpInBrowser,
  startSite,
  watchShifts,
} from './site.ts'

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

const site = noBrowser === false ? await startSite({ after }) : null

/** A page, and how it is brought to the state that is worth a picture. */
type View = { name: string; path: string; ready: (page: Page) => Promise<unknown> }

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

const OUTSIDE: View[] = [
  { name: 'welcome', path: '/', ready: heading(/words of a whole channel/) },
  {
    name: 'trial',
    path: '/',
    ready: async (page) => {
      const video = site!.platform.world.upload(site!.platform.world.channel('small'), 3)
      await page.getByLabel('Try it with one video').fill(video.videoId)
      await page.getByRole('button', { name: 'Read its first minutes' }).click()
      await page.getByText('of its').waitFor()
    },
  },
  { name: 'sign-in', path: '/sign-in', ready: heading('Sign in') },
  {
    name: 'sign-in-refused',
    path: '/sign-in',
    ready: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.org')
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('email address or password is wrong').waitFor()
    },
  },
  { name: 'sign-up', path: '/sign-up', ready: heading('Create an account') },
  { name: 'forgot', path: '/forgot', ready: heading('A new password') },
  { name: 'reset', path: '/reset?token=abc', ready: heading('Choose a new password') },
  {
    name: 'verify-failed',
    path: '/verify?token=abc',
    ready: (page) => page.getByRole('alert').waitFor(),
  },
]

function inside(jobId: string): View[] {
  return [
    {
      name: 'jobs',
      path: '/jobs',
      ready: (page) => page.getByRole('link', { name: '@smallworkshop' }).waitFor(),
    },
    { name: 'new', path: '/new', ready: heading('New job') },
    {
      name: 'new-recognised',
      path: '/new',
      ready: async (page) => {
        await page
          .getByLabel('What do you want to read?')
          .fill(
            'https://www.youtube.com/@captionlab\nhttps://youtu.be/cazshjHMm14?list=PLKx8JbcwL3vQnkztKBojWtMp0Jh4sqxAQ\nPLKx8JbcwL3vQnkztKBojWtMp0Jh4sqxAQ\nhttps://example.com/video\nhttps://www.youtube.com/results?search_query=cats',
          )
        await page.getByText('Not usable').first().waitFor()
      },
    },
    {
      name: 'new-refused',
      path: '/new',
      ready: async (page) => {
        await page.getByLabel('What do you want to read?').fill('https://example.com/video')
        await page.getByLabel('Language').fill('!!')
        await page.getByRole('button', { name: 'Start the job' }).click()
        await page.locator('[aria-invalid=true]').first().waitFor()
      },
    },
    {
      name: 'job',
      path: `/jobs/${jobId}`,
      ready: (page) => page.getByRole('row').nth(3).waitFor(),
    },
    {
      name: 'job-running',
      path: '/new?urls=%40dailynotes',
      ready: async (page) => {
        site!.platform.apply({ knobs: { latencyMs: 1_200 } })
        await page.getByRole('button', { name: 'Start the job' }).click()
        await page.getByRole('row').nth(2).waitFor()
        // However long the pictures take: the job is not final before it is cancelled.
        site!.platform.apply({ knobs: { latencyMs: 120_000 } })
      },
    },
    {
      name: 'job-cancel',
      path: '/jobs',
      ready: async (page) => {
        await page.getByRole('link', { name: '@dailynotes' }).first().click()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).waitFor()
      },
    },
    {
      name: 'job-cancelled',
      path: '/jobs',
      ready: async (page) => {
        await page.getByRole('link', { name: '@dailynotes' }).first().click()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('button', { name: 'Cancel the job' }).click()
        await page.getByText('Cancelled', { exact: true }).waitFor()
        site!.platform.clear()
      },
    },
    {
      name: 'job-filtered-to-nothing',
      path: `/jobs/${jobId}`,
      ready: async (page) => {
        await page.getByLabel('Search titles').fill('no such title anywhere')
        await page.getByText('No matching videos').waitFor()
      },
    },
    {
      name: 'job-run-again',
      path: `/jobs/${jobId}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Run again' }).click()
        await page.getByRole('dialog').waitFor()
      },
    },
    {
      name: 'account',
      path: '/account',
      ready: async (page) => {
        await page.getByText('my program').first().waitFor()
      },
    },
    {
      name: 'money',
      path: '/money',
      ready: async (page) => {
        await page.getByRole('link', { name: 'Receipt of @dailynotes' }).first().waitFor()
        await page.getByRole('table').waitFor()
      },
    },
    {
      name: 'receipt',
      path: `/receipts/${jobId}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Verify' }).click()
        await page.getByText('This receipt holds.').waitFor()
      },
    },
    {
      name: 'developers',
      path: '/developers',
      ready: (page) => page.getByText('Start a job').waitFor(),
    },
    { name: 'not-found', path: '/nothing/here', ready: heading('Page not found') },
  ]
}

const ANSWERS = /^https?:\/\/[^/]+\/(?:api\/v1|account)\/(?!.*\/events$)/
const ANSWER_MS = 250

/** What somebody asked for may move the rest aside; how the page opens, another view shows. */
const ASKED_FOR = /^(?:sign-in|new|job)-|^trial$/

type State = Awaited<ReturnType<BrowserContext['storageState']>>

async function check({
  views,
  look,
  state,
}: {
  views: View[]
  look: keyof typeof LOOKS
  state?: State
}) {
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
  for (const { name, path, ready } of views) {
    await page.goto(`${open.origin}${path}`)
    await ready(page).catch(async (cause: unknown) => {
      const shown = await page.locator('body').innerText()
      throw new Error(`${name}.${look} shows: ${shown.slice(0, 1_500)}`, { cause })
    })
    await page.evaluate('document.fonts.ready.then(() => true)')
    await picture(
      page,
      `${name}.${look}`,
      !['reader', 'job', 'job-running', 'job-cancelled', 'job-run-again'].includes(name),
    )
    const { sum, parts } = await shiftOf(page)
    if (sum > SHIFT_MAX && !ASKED_FOR.test(name))
      faults.push(`${name}.${look} shifts by ${sum}: ${parts.join('; ')}`)
    if (await isTooWide(page)) faults.push(`${name}.${look} is wider than the screen`)
    for (const fault of await seriousFaults(page, LOOKS[look].axe))
      faults.push(`${name}.${look}: ${fault}`)
  }
  await context.close()
  const real = complaints.filter((text) => !/status of (?:40[0-9]|429)/.test(text))
  assert.deepEqual([...faults, ...real], [])
}

test('the pages outside stand in every look', { skip: noBrowser }, async () => {
  for (const look of ['light', 'dark', 'phone'] as const) await check({ views: OUTSIDE, look })
})

test('the pages of a member stand in every look', { skip: noBrowser }, async () => {
  const { context, page } = await openWindow(site!.browser)
  await signUpInBrowser(site!, page, 'anna.lindqvist@example.org')
  await page.getByText('Three things to try').waitFor()
  const fresh = await context.storageState()
  for (const look of ['light', 'dark', 'phone'] as const) {
    const ready = (one: Page) => one.getByText('Three things to try').waitFor()
    await check({ views: [{ name: 'first-steps', path: '/jobs', ready }], look, state: fresh })
  }
  await page.goto(`${site!.origin}/account`)
  await page.getByLabel('Name of the new key').fill('my program')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByTestId('new-key').waitFor()
  await page.mouse.move(0, 0)
  await picture(page, 'account-new-key.light')
  await page.getByRole('button', { name: 'I have saved it' }).click()

  await runJobOnPage(site!, page, 'https://www.youtube.com/@smallworkshop', 8)
  await runJobOnPage(site!, page, 'https://www.youtube.com/@warsha', 5)
  const jobId = await runJobOnPage(
    site!,
    page,
    'https://www.youtube.com/playlist?list=PLLApP7UkM4GCnO7LTxulbG7-bDsxMqTby\nhttps://www.youtube.com/@captionlab',
    120,
  )
  await page.getByLabel('Search titles').fill('past stream')
  const markup = page.getByRole('link', {
    name: 'Laboratory: A past stream of two hours',
    exact: true,
  })
  await markup.waitFor()
  const readerPath = (await markup.getAttribute('href')) ?? ''
  const state = await context.storageState()
  for (const look of ['light', 'dark', 'phone'] as const) {
    const ready = async (one: Page) => {
      await one.getByLabel('Search in this transcript').fill('the')
      await one.locator('mark').first().waitFor()
    }
    const views = [...inside(jobId), { name: 'reader', path: readerPath, ready }]
    await check({ views, look, state })
  }
  await context.close()
})
