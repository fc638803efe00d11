/** The views of a member who has projects, and how they come to have some. */
import type { Page, Site } from './site.ts'
import type { View } from './windows.ts'

/** Pages of a member who has projects, and rows that are selected. */
export function withProjects(projectPath: string, collectionPath: string): View[] {
  return [
    {
      name: 'collection-selected',
      path: collectionPath,
      ready: async (page) => {
        const boxes = page.getByRole('list', { name: 'Videos' }).getByRole('checkbox')
        await boxes.first().check()
        await boxes.nth(2).click({ modifiers: ['Shift'] })
        await page.getByText('3 selected').waitFor()
      },
    },
    {
      name: 'library-projects',
      path: '/library',
      ready: (page) => page.getByRole('list', { name: 'Projects' }).waitFor(),
    },
    {
      name: 'project',
      path: projectPath,
      ready: (page) => page.getByRole('list', { name: 'Videos' }).waitFor(),
    },
  ]
}

/** Fills a project with all of a collection, describes it, and makes others; returns the path of its page. */
export async function fillsProjects(site: Site, page: Page, collection: string): Promise<string> {
  for (const name of ['Interviews 2026', 'Stimmen der Stadt: wie Nachbarn über Brücken reden']) {
    await page.goto(`${site.origin}/library`)
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByText('Nothing here yet').waitFor()
  }
  const path = new URL(page.url()).pathname
  await page.getByLabel('More', { exact: true }).click()
  await page.getByRole('button', { name: 'Change name, note or tags' }).click()
  await page
    .getByLabel('Note', { exact: true })
    .fill('For the second chapter: who speaks of bridges, and of whom.\nAsk about the older ones.')
  await page.getByLabel('Tags', { exact: true }).fill('housing, interviews, chapter 2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('list', { name: 'Tags' }).waitFor()
  await page.goto(`${site.origin}${collection}`)
  await page.getByRole('button', { name: 'Add to a project' }).click()
  await page.getByLabel('Project', { exact: true }).selectOption({ index: 0 })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/transcripts added to/).waitFor()
  return path
}
