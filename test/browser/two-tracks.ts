/** A video of which a member has two texts, each in a track of its own. */
import { type Page, runJobOnPage, type Site } from './site.ts'

/**
 * Orders the video, and from its reader the track of that name. Returns the first text's path, with and without the
 * second one beside it.
 */
export async function ordersTwoTracks(
  site: Site,
  page: Page,
  { video, other }: { video: string; other: string },
): Promise<{ trackPath: string; besidePath: string }> {
  const { videoId } = site.platform.world.special(video)
  const trackPath = `/jobs/${await runJobOnPage(site, page, `https://youtu.be/${videoId}`)}/1`
  await page.goto(site.origin + trackPath)
  await page.getByLabel(/captions and source$/).click()
  await page.getByRole('button', { name: `Order ${other} · $0.008` }).click()
  const question = page.getByRole('dialog')
  await question.getByText('1 video to fetch, at most $0.008.').waitFor()
  await question.getByRole('button', { name: /^Order it/ }).click()
  await page.getByText('Charged $0.008').waitFor()
  const second = page.url().split('/').at(-1)
  return { trackPath, besidePath: `${trackPath}?beside=${second}.1` }
}
