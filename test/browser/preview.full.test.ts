/** The new-job page says what each line is and what a job would cost, before and after a job, in a real browser. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/until.ts'
import {
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
  'a member sees title, picture and price of what they paste, and later what they already have',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    const stills: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).hostname === 'i.ytimg.com') stills.push(request.url())
    })
    await signUpInBrowser(site!, page, 'looking@example.org')
    const lines = page.getByRole('list', { name: 'Recognised lines' })
    const types = async (text: string) => {
      await page.goto(`${site!.origin}/new`)
      await page.getByLabel('What do you want to read?').fill(text)
    }

    await types('https://www.youtube.com/@smallworkshop')
    await lines.getByText('Small Workshop').waitFor()
    await lines.getByText('24 videos; 24 to fetch').waitFor()
    await page.getByText('$0.192').first().waitFor()
    assert.deepEqual(stills, [], 'the platform is not told what is pasted')
    await page.evaluate(`localStorage.setItem('pictures', 'on')`)
    await types('https://www.youtube.com/@smallworkshop')
    const still = `document.querySelector('ul[aria-label="Recognised lines"] img')?.naturalWidth > 0`
    await until('the still is drawn', () => page.evaluate<boolean>(still))

    site!.platform.log.reset()
    await runJobOnPage(site!, page, 'https://www.youtube.com/@smallworkshop')
    const { byKind } = site!.platform.log.counts()
    assert.equal((byKind['browse'] ?? 0) <= 1, true, 'the preview listed it')

    await types(
      'https://www.youtube.com/@smallworkshop\nhttps://www.youtube.com/@nobodyatall\nPLnothing',
    )
    await lines.getByText('Not usable').waitFor()
    await types('https://www.youtube.com/@smallworkshop')
    await lines
      .getByText(
        /^\d+ of 24 you already have, free; about|^\d+ of 24 you already have, free; \d+ to fetch$/,
      )
      .waitFor()
    await picture(page, 'preview-light')
    await types('https://www.youtube.com/@smallworkshop\nhttps://www.youtube.com/@nobodyatall')
    await lines.getByText('no channel at this address').waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await page.setViewportSize(PHONE)
    await picture(page, 'preview-phone')
    assert.deepEqual(complaints, [])
  },
)
