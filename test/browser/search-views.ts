/** The search page: before anything is asked, with its hits, and narrowed. */
import type { Page } from './site.ts'
import type { View } from './windows.ts'

/** Searches for words on the search page. */
async function searches(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Words' }).fill(words)
  await page.keyboard.press('Enter')
  await page.getByText(/^\d+ transcripts?, [\d,]+ mentions?$/).waitFor()
}

export const SEARCH_VIEWS: View[] = [
  {
    name: 'search',
    path: '/search?q=bridge',
    ready: (page) => page.getByText(/^\d+ transcripts, [\d,]+ mentions$/).waitFor(),
  },
  {
    name: 'search-start',
    path: '/search',
    ready: async (page, site) => {
      for (const words of ['"second engine"', 'bridge -toy']) await searches(page, words)
      await page.goto(`${site.origin}/search`)
      await page.getByRole('heading', { name: 'Recent searches' }).waitFor()
    },
  },
  {
    name: 'search-narrowed',
    path: '/search?q=bridge&after=2018-01-01&before=2026-12-31&sort=newest',
    ready: async (page) => {
      const channels = page.getByRole('navigation', { name: 'Mentions by channel' })
      await channels.getByRole('link', { name: 'Small Workshop' }).click()
      await channels.locator('[aria-current=true]').waitFor()
      await page.getByRole('button', { name: 'Remove Channel' }).waitFor()
    },
  },
]
