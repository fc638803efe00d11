/** A project: filled from a job, a list and the reader, described, thinned out and deleted. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/until.ts'
import {
  boxAtRest,
  noBrowser,
  openWindow,
  PHONE,
  picture,
  runJobOnPage,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'

const skip = noBrowser
const site = noBrowser === false ? await startSite({ after }) : null

test(
  'a project is filled where its texts are seen, and is a list like others',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'projects@example.org')
    await runJobOnPage(site!, page, 'https://www.youtube.com/@smallworkshop')
    const job = page.url()

    await page.getByRole('button', { name: 'Add to a project' }).click()
    await page.getByLabel('Name of the new project').fill('Häuser 🏠')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(/^\d+ transcripts added to “Häuser 🏠”\.$/).waitFor()
    await page.getByRole('link', { name: 'Open the project' }).click()
    await page.getByRole('heading', { name: 'Häuser 🏠' }).waitFor()
    const videos = page.getByRole('list', { name: 'Videos' })
    await videos.waitFor()
    const before = await videos.getByRole('listitem').count()

    await page.getByLabel('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Change name, note or tags' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('For chapter 3\nsecond line')
    await page.getByRole('textbox', { name: 'Tags' }).fill('housing, , interviews')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('list', { name: 'Tags' }).getByText('interviews').waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'project-light')

    await videos
      .getByRole('button', { name: /^Remove “/ })
      .first()
      .click()
    await page.getByText(`${before - 1} transcripts`, { exact: true }).waitFor()
    await page.setViewportSize(PHONE)
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'project-phone')

    await page.goto(job)
    await page.getByRole('table', { name: 'Videos' }).getByRole('link').first().click()
    // The page of the job has such a button, too, and stands until the reader is loaded.
    await page.getByLabel(/captions and source$/).waitFor()
    await page.getByText('Actions', { exact: true }).click()
    await page.getByRole('button', { name: 'Add to a project' }).click()
    await page.getByRole('combobox', { name: 'Project' }).waitFor()
    await picture(page, 'project-add-phone')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(/^[01] transcripts? added to “Häuser 🏠”/).waitFor()

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${site!.origin}/library`)
    const projects = page.getByRole('list', { name: 'Projects' })
    await projects.getByText('housing, interviews').waitFor()
    const opener = page.getByRole('button', { name: 'New project' })
    const { x, y } = await boxAtRest(opener)
    await opener.click()
    await page.getByLabel('Name', { exact: true }).fill('n'.repeat(119))
    const moved = await boxAtRest(opener)
    assert.deepEqual([moved.x, moved.y], [x, y], 'the button stays')
    assert.equal(await page.getByText('At most 120 characters.').count(), 0)
    await page.getByLabel('Name', { exact: true }).pressSequentially('nnn')
    await page.getByText('At most 120 characters.').waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'projects-dark')
    await projects.getByRole('link', { name: 'Häuser 🏠' }).click()
    await page.getByLabel('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete the project' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the project' }).click()
    await page.getByText(/^A project holds transcripts of any channels and jobs/).waitFor()
    assert.deepEqual(complaints, [])
  },
)

test(
  'a project with long words shows its videos on the first screen, and those selected leave it together',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'described@example.org')
    await runJobOnPage(site!, page, 'https://www.youtube.com/@smallworkshop')
    await page.getByRole('button', { name: 'Add to a project' }).click()
    await page.getByLabel('Name of the new project').fill('Neighbours on bridges '.repeat(5))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Open the project' }).click()
    const menu = page.getByLabel('More', { exact: true })
    await menu.click()
    await page.getByRole('button', { name: 'Change name, note or tags' }).click()
    const note = 'Ask the older ones.\n'.repeat(60)
    await page.getByRole('textbox', { name: 'Note' }).fill(note)
    await page.getByRole('textbox', { name: 'Tags' }).fill('housing, interviews, chapter 3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('list', { name: 'Tags' }).waitFor()
    // The form leaves a frame after the tags have come.
    await until('the focus is back at the menu', () =>
      menu.evaluate((button: any) => button === button.ownerDocument.activeElement),
    )

    const rows = page.getByRole('list', { name: 'Videos' }).getByRole('listitem')
    const count = await rows.count()
    for (const [width, height, shown] of [
      [1440, 900, 6],
      [390, 844, 1],
    ] as const) {
      await page.setViewportSize({ width, height })
      const { y, height: tall } = await boxAtRest(rows.nth(shown - 1))
      assert.ok(y + tall <= height, `row ${shown} ends at ${y + tall} of ${height} px`)
    }

    await page.setViewportSize({ width: 1440, height: 900 })
    await rows.first().getByRole('link').first().focus()
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await page.getByRole('button', { name: 'Remove from the project' }).click()
    await page.getByText(`${count - 2} transcripts`, { exact: true }).waitFor()
    // The bar leaves a frame after the new count has come.
    await page.getByRole('region', { name: 'Selected' }).waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  },
)
