/** The windows that keys open over every page, and how a view of the site is brought to the state that is looked at. */
import type { Page, Site } from './site.ts'

/** A page: its name among the pictures, its address, and the steps to the state that is looked at. */
export type View = {
  name: string
  path: string
  ready: (page: Page, site: Site) => Promise<unknown>
}

export const WINDOWS: View[] = [
  {
    name: 'palette',
    path: '/jobs',
    ready: async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Words to look for' }).fill('small')
      await page
        .getByText('Nobody says that')
        .or(page.getByText(/^Said in/))
        .waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: '/jobs',
    ready: async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Next row or paragraph').waitFor()
    },
  },
]

/** Chooses the first two rows of a list. */
export async function chooseRows(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox')
  await boxes.first().waitFor()
  for (const at of [0, 1]) await boxes.nth(at).click()
  await page.getByRole('region', { name: 'Selected' }).getByText('Download').waitFor()
}
