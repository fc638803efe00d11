/** The three pictures of the first page (src/api/landing/showcase.ts), of the website as a member sees it. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { LOOKS, PICTURE } from '../../src/api/landing/showcase.ts'
import {
  boxAtRest,
  openWindow,
  OUT,
  type Page,
  runJobOnPage,
  selectText,
  signUpInBrowser,
  type Site,
} from './site.ts'

/** How much of a page a picture holds: more than its size, in letters that can still be read. */
const SCALE = 1.6
const VIEWPORT = { width: PICTURE.width * SCALE, height: PICTURE.height * SCALE }
/** Pixels of the file for each of the page. */
const DENSITY = 1.25
const PROJECT = 'The bridge, for the town history'

/** Draws each picture in each look, into files like `shown-search.light.png`. */
export async function drawShowcase(site: Site): Promise<void> {
  const { context, page } = await openWindow(site.browser, {
    viewport: VIEWPORT,
    deviceScaleFactor: DENSITY,
  })
  await signUpInBrowser(site, page, 'reader@example.org')
  await runJobOnPage(site, page, '@eveninglectures', 12)
  const job = page.url()
  await makesProject(page)
  const project = page.url()
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look })
    await page.goto(`${site.origin}/search?q=bridge`)
    await page.locator('mark').nth(2).waitFor()
    await draws(page, `search.${look}`, page.getByLabel('Words'))
    await page.goto(job)
    await page.getByRole('link', { name: 'Why stone bridges stand', exact: true }).click()
    await selectsSentence(page)
    await draws(page, `reader.${look}`)
    await page.goto(project)
    await page.getByRole('list', { name: 'Videos' }).waitFor()
    await page.getByText('Download or cite').click()
    await draws(page, `project.${look}`)
  }
  await context.close()
}

async function makesProject(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add to a project' }).click()
  await page.getByLabel('Name of the new project').fill(PROJECT)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/transcripts added to/).waitFor()
  await page.getByRole('link', { name: 'Open the project' }).click()
  await page.getByRole('heading', { name: PROJECT }).waitFor()
}

/** Selects the sentence that begins the second line of the text, and shows the text from its beginning. */
async function selectsSentence(page: Page): Promise<void> {
  const line = page.locator('[data-index="0"]:has(a[data-time])')
  await line.waitFor()
  await boxAtRest(line)
  await line.evaluate((row: any) =>
    row.ownerDocument.defaultView.scrollBy(0, row.getBoundingClientRect().top - 220),
  )
  await selectText(page, [line.locator('p'), 8, 48], [line.locator('p'), 300, 80])
  await page.getByRole('group', { name: 'Quote' }).waitFor()
}

/** Draws what the window shows, from the element on; nothing that still loads is drawn. */
async function draws(
  page: Page,
  name: string,
  from?: ReturnType<Page['getByLabel']>,
): Promise<void> {
  if (from !== undefined)
    await from.first().evaluate((field: any) => {
      const { top } = field.getBoundingClientRect()
      field.ownerDocument.defaultView.scrollBy(0, top - 24)
    })
  await page.mouse.move(0, 0)
  await page.evaluate('document.fonts.ready.then(() => true)')
  assert.equal(await page.locator('[role=status] > .animate-pulse').count(), 0)
  await page.screenshot({ path: path.join(OUT, `shown-${name}.png`), animations: 'disabled' })
}
