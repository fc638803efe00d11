/** The pages of a member and of an operator, looked at once they have content. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, type TestContext } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { adminOn } from '../admin/admin-command.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { lookAt, type Walk } from './looks.ts'
import {
  noBrowser,
  openWindow,
  type Page,
  picture,
  runJobOnPage,
  signUpInBrowser,
  type Site,
  startSite,
} from './site.ts'
import { OPERATOR } from './console-views.ts'
import { fillsProjects, withProjects } from './project-views.ts'
import { ordersTwoTracks } from './two-tracks.ts'
import { inside, LEGAL_PAGES } from './views.ts'

/** Opens the site with the operator's own pages; null where there is no browser. */
export async function openStage(): Promise<Site | null> {
  return noBrowser === false ? startSite({ after }, { env: withLegalPages() }) : null
}

function withLegalPages(): Record<string, string> {
  const legal = fs.mkdtempSync(path.join(os.tmpdir(), 'pictures-legal-'))
  after(() => fs.rmSync(legal, { recursive: true }))
  for (const name of LEGAL_PAGES)
    fs.writeFileSync(path.join(legal, `${name}.md`), `# ${name}\n\nWhoever runs this server.\n`)
  return { LEGAL_DIR: legal, WEBHOOK_ALLOW_PRIVATE: 'true' }
}

/** Orders a channel of four dozen videos as a batch; returns the address of its page. */
async function ordersBatch(site: Site, page: Page): Promise<string> {
  await page.goto(`${site.origin}/new`)
  await page.getByLabel('What do you want to read?').fill('@tallerpequeno')
  await page.getByLabel('Maximum number of videos').fill('600')
  await page.getByRole('button', { name: 'Start the batch' }).click()
  await page.waitForURL(/\/batches\/\w+$/)
  await page.getByText('Finished', { exact: true }).first().waitFor({ timeout: 60_000 })
  return new URL(page.url()).pathname
}

export async function lookAtMember(
  t: TestContext,
  site: Site,
  walks: readonly Walk[],
): Promise<void> {
  const { context, page } = await openWindow(site.browser)
  await signUpInBrowser(site, page, 'anna.lindqvist@example.org')
  await page.getByText('Three things to try').waitFor()
  const ready = (one: Page) => one.getByText('Three things to try').waitFor()
  const first = [{ name: 'first-steps', path: '/jobs', ready }]
  await lookAt(t, site, { views: first, walks, state: await context.storageState() })
  await page.goto(`${site.origin}/settings/keys`)
  await page.getByLabel('Name of the new key').fill('my program')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByTestId('new-key').waitFor()
  await page.mouse.move(0, 0)
  await picture(page, 'account-new-key.light')
  await page.getByRole('button', { name: 'I have saved it' }).click()

  const webhookPath = await addsWebhook(t, site, page)
  await followsChannel(site, page)
  const batchPath = await ordersBatch(site, page)
  await runJobOnPage(site, page, 'https://www.youtube.com/@smallworkshop', 8)
  await runJobOnPage(site, page, 'https://www.youtube.com/@warsha', 5)
  const tracks = await ordersTwoTracks(site, page, { video: 'translated', other: 'in French' })
  const jobId = await runJobOnPage(
    site,
    page,
    'https://www.youtube.com/playlist?list=PLLApP7UkM4GCnO7LTxulbG7-bDsxMqTby\nhttps://www.youtube.com/@captionlab',
    120,
  )
  const stand = {
    ...tracks,
    jobId,
    webhookPath,
    batchPath,
    readerPath: await rowPath(page, 'past stream', 'Laboratory: A past stream of two hours'),
    undeliveredPath: await rowPath(page, 'live', 'Laboratory: On air: OK, isLive, no captions yet'),
    otherLanguagePath: await rowPath(
      page,
      'Japanese audio',
      'Laboratory: Japanese audio, captions in English and French only',
    ),
    collectionPath: await collectionPath(site, page),
  }
  const state = await context.storageState()
  await lookAt(t, site, { views: inside(stand), walks, state })
  const projectPath = await fillsProjects(site, page, stand.collectionPath)
  await lookAt(t, site, { views: withProjects(projectPath, stand.collectionPath), walks, state })
  await context.close()
}

/** Adds a webhook to a server of the test, and returns its page's path. */
async function addsWebhook(t: TestContext, site: Site, page: Page): Promise<string> {
  const receiver = await startReceiver(t)
  await page.goto(`${site.origin}/webhooks`)
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await until('the test arrives', () => receiver.received.length === 1)
  return new URL(page.url()).pathname
}

async function followsChannel(site: Site, page: Page): Promise<void> {
  await page.goto(`${site.origin}/following`)
  await page.getByRole('textbox', { name: 'Channel or playlist' }).fill('@smallworkshop')
  await page.getByLabel('Monthly limit (USD)').fill('0.5')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('Small Workshop').waitFor()
}

async function rowPath(page: Page, words: string, title: string): Promise<string> {
  await page.getByLabel('Search titles').fill(words)
  const row = page.getByRole('link', { name: title, exact: true }).first()
  await row.waitFor()
  return (await row.getAttribute('href')) ?? ''
}

async function collectionPath(site: Site, page: Page): Promise<string> {
  await page.goto(`${site.origin}/library`)
  const link = page.getByRole('link', { name: 'Small Workshop' })
  await link.waitFor()
  return (await link.getAttribute('href')) ?? ''
}

export async function lookAtConsole(
  t: TestContext,
  site: Site,
  walks: readonly Walk[],
): Promise<void> {
  const { context, page } = await openWindow(site.browser)
  await signUpInBrowser(site, page, 'ops@example.org')
  const { value } = adminOn(site.database.url)
  await value('operator', 'grant', '--email', 'ops@example.org')
  await page.goto(`${site.origin}/operator`)
  await page.getByRole('button', { name: 'Set up an app' }).click()
  const secret = await page.getByTestId('factor-secret').innerText()
  const codes = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  await page.getByLabel('Code').fill(codes.generate())
  await page.getByRole('button', { name: 'Open the console' }).click()
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  const state = await context.storageState()
  await lookAt(t, site, { views: OPERATOR, walks, state })
  await context.close()
}
