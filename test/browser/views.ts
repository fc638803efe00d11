/** Every page of the site, and how it is brought to the state that is worth a look. */
import { App } from '../oauth/app.ts'
import { type ReaderStand, readerViews } from './reader-views.ts'
import type { Page } from './site.ts'
import { SEARCH_VIEWS } from './search-views.ts'
import { chooseRows, type View, WINDOWS } from './windows.ts'

/** What the member has before their pages are looked at. */
export type Stand = ReaderStand & {
  jobId: string
  undeliveredPath: string
  otherLanguagePath: string
  collectionPath: string
  webhookPath: string
  batchPath: string
}

/** Names of the operator's own files. */
export const LEGAL_PAGES = ['terms', 'privacy', 'imprint']
const WRITTEN = [...LEGAL_PAGES, 'guides', 'changelog', 'clients', 'docs/search']

export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

export const OUTSIDE: View[] = [
  { name: 'welcome', path: '/', ready: heading(/every word of a channel/) },
  {
    name: 'trial',
    path: '/',
    ready: async (page, site) => {
      const video = site.platform.world.upload(site.platform.world.channel('small'), 3)
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
  { name: 'forgot', path: '/forgot', ready: heading('Reset your password') },
  { name: 'reset', path: '/reset?token=abc', ready: heading('Choose a new password') },
  {
    name: 'verify-failed',
    path: '/verify?token=abc',
    ready: (page) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'keep-address',
    path: '/keep-address?token=abc',
    ready: heading('Did you not make this change?'),
  },
  { name: 'status', path: '/status', ready: heading('Status') },
  {
    name: 'reference',
    path: '/docs',
    ready: heading('API reference'),
  },
  {
    name: 'reference-operation',
    path: '/docs#cancelJob',
    ready: heading('Jobs'),
  },
  { name: 'reference-search', path: '/docs/api/search', ready: heading('Search') },
  { name: 'reference-schemas', path: '/docs/api/schemas', ready: heading('Schemas') },
  ...WRITTEN.map((at) => ({ name: at.replace('/', '-'), path: `/${at}`, ready: heading(/./) })),
  { name: 'accessibility', path: '/accessibility', ready: heading('Accessibility') },
]

export function inside(stand: Stand): View[] {
  const { jobId, undeliveredPath, otherLanguagePath, collectionPath, webhookPath, batchPath } =
    stand
  return [
    {
      name: 'jobs',
      path: '/jobs',
      ready: (page) => page.getByRole('link', { name: 'Small Workshop' }).waitFor(),
    },
    { name: 'jobs-selected', path: '/jobs', ready: chooseRows },
    { name: 'jobs-filtered', path: '/jobs?state=finished&q=workshop', ready: heading('Jobs') },
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
        await page.getByText('More options').click()
        await page.getByLabel('Language').selectOption('Another …')
        await page.getByLabel('Code').fill('!!')
        await page.getByRole('button', { name: 'Start the job' }).click()
        await page.locator('[aria-invalid=true]').first().waitFor()
      },
    },
    {
      name: 'job',
      path: `/jobs/${jobId}`,
      ready: async (page) => {
        await page.getByRole('row').nth(3).waitFor()
        await page.getByRole('region', { name: 'In the library' }).waitFor()
      },
    },
    {
      name: 'job-running',
      path: '/new?urls=%40dailynotes',
      ready: async (page, site) => {
        site.platform.apply({ knobs: { latencyMs: 1_200 } })
        await page.getByRole('button', { name: 'Start the job' }).click()
        await page.getByRole('row').nth(2).waitFor()
        // The job is still running when it is cancelled, however long the pictures take.
        site.platform.apply({ knobs: { latencyMs: 120_000 } })
      },
    },
    {
      name: 'job-cancel',
      path: '/jobs',
      ready: async (page) => {
        await page.getByRole('link', { name: 'Daily Notes' }).first().click()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).waitFor()
      },
    },
    {
      name: 'job-cancelled',
      path: '/jobs',
      ready: async (page, site) => {
        await page.getByRole('link', { name: 'Daily Notes' }).first().click()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('button', { name: 'Cancel the job' }).click()
        await page.getByText('Cancelled', { exact: true }).waitFor()
        site.platform.clear()
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
      name: 'batch',
      path: batchPath,
      ready: (page) => page.getByText('Finished', { exact: true }).first().waitFor(),
    },
    {
      name: 'account',
      path: '/account',
      ready: (page) => page.getByText('Signed in on').waitFor(),
    },
    {
      name: 'account-keys',
      path: '/settings/keys',
      ready: (page) => page.getByText('my program').first().waitFor(),
    },
    {
      name: 'account-apps',
      path: '/settings/apps',
      ready: (page) => page.getByText('No connected apps').waitFor(),
    },
    {
      name: 'account-notifications',
      path: '/settings/notifications',
      ready: (page) => page.getByText('All webhooks').waitFor(),
    },
    {
      name: 'account-data',
      path: '/settings/data',
      ready: (page) => page.getByText('Download everything').waitFor(),
    },
    {
      name: 'money',
      path: '/billing',
      ready: async (page) => {
        await page.getByRole('link', { name: 'Receipt of Small Workshop' }).first().waitFor()
        await page.getByRole('table', { name: 'Usage of all months' }).waitFor()
        await page.getByRole('table').nth(2).waitFor()
      },
    },
    {
      name: 'money-months',
      path: '/billing',
      ready: async (page, site) => {
        await site.database.pool.query(
          "update job set finished_at = date_trunc('month', now()) - interval '5 days' where urls[1] like '%warsha'",
        )
        await page.reload()
        const months = page.getByRole('list', { name: 'Charged by month (UTC)' })
        const latest = await months.getByRole('link').last().getAttribute('href')
        await page.goto(`${site.origin}${latest}`)
        await page.getByRole('table', { name: /Usage of [A-Z]/ }).waitFor()
        await page.getByRole('table').nth(2).waitFor()
      },
    },
    {
      name: 'receipt',
      path: `/receipts/${jobId}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Verify' }).click()
        await page.getByText('Receipt verified.').waitFor()
      },
    },
    {
      name: 'developers',
      path: '/developers',
      ready: (page) => page.getByText('Start a job').waitFor(),
    },
    { name: 'not-found', path: '/nothing/here', ready: heading('Page not found') },
    {
      name: 'library',
      path: '/library',
      ready: (page) => page.getByRole('link', { name: 'Small Workshop' }).waitFor(),
    },
    {
      name: 'collection',
      path: collectionPath,
      ready: (page) => page.getByRole('list', { name: 'Videos' }).waitFor(),
    },
    {
      name: 'undelivered',
      path: undeliveredPath,
      ready: (page) => page.getByText('Will trying again help?').waitFor(),
    },
    {
      name: 'undelivered-language',
      path: otherLanguagePath,
      ready: (page) => page.getByRole('button', { name: 'Order in French' }).waitFor(),
    },
    ...WINDOWS,
    ...SEARCH_VIEWS,
    {
      name: 'following',
      path: '/following',
      ready: (page) => page.getByText('Small Workshop').waitFor(),
    },
    { name: 'webhooks', path: '/webhooks', ready: heading('Webhooks') },
    {
      name: 'webhook',
      path: webhookPath,
      ready: (page) => page.getByText('Request and answers').first().waitFor(),
    },
    {
      name: 'consent',
      path: '/consent?request=none',
      ready: async (page, site) => {
        await page.getByText('This request cannot be answered').waitFor()
        const app = await App.registers(site.origin, { client_name: 'Notebook of Nora' })
        await page.goto((await app.asks()).url.href)
        await page.getByRole('heading', { name: 'Notebook of Nora will be able to' }).waitFor()
      },
    },
    { name: 'device', path: '/device', ready: heading('Connect a program') },
    {
      name: 'confirm-address',
      path: '/confirm-address?token=abc',
      ready: heading('Use this address?'),
    },
    ...readerViews(stand),
  ]
}
