/** The reader in the states that are worth a look. */
import type { View } from './windows.ts'

export type ReaderStand = { readerPath: string; trackPath: string; besidePath: string }

export function readerViews({ readerPath, trackPath, besidePath }: ReaderStand): View[] {
  return [
    {
      name: 'reader',
      path: readerPath,
      ready: async (page) => {
        await page.getByLabel('Search in this transcript').fill('the')
        await page.locator('mark').first().waitFor()
      },
    },
    {
      name: 'reader-plain',
      path: readerPath,
      ready: (page) => page.locator('[data-index="3"]').waitFor(),
    },
    {
      name: 'reader-tracks',
      path: trackPath,
      ready: async (page) => {
        await page.getByLabel(/captions and source$/).click()
        await page.getByRole('link', { name: /^Beside this one/ }).waitFor()
      },
    },
    {
      name: 'reader-actions',
      path: readerPath,
      ready: async (page) => {
        await page.locator('[data-index="3"]').waitFor()
        await page.getByText('Actions', { exact: true }).click()
        await page.getByRole('button', { name: 'Add to a project' }).waitFor()
      },
    },
    {
      name: 'reader-beside',
      path: besidePath,
      ready: (page) => page.locator('[data-beside]').nth(3).waitFor(),
    },
  ]
}
