/** What pages show when something is missing, wrong or over: rows without a text, a lost server, a draft, a session. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD } from '../account/visitor.ts'
import { until } from '../support/until.ts'
import {
  type BrowserContext,
  DESK,
  noBrowser as skip,
  openWindow,
  type Page,
  runJobOnPage,
  seriousFaults,
  signUpInBrowser,
  startSite,
  goToAccount,
} from './site.ts'
import { standInForPlayer } from './stand-in-player.ts'

const site = skip === false ? await startSite({ after }) : null
const member = site === null ? null : await openMember()

async function openMember(): Promise<{ context: BrowserContext; page: Page; jobId: string }> {
  const { context, page } = await openWindow(site!.browser)
  await signUpInBrowser(site!, page, 'states@example.org')
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('link', { name: 'Try a channel' }).click()
  assert.equal(await page.getByLabel('Maximum number of videos').inputValue(), '10')
  return { context, page, jobId: await runJobOnPage(site!, page, '@captionlab', 61) }
}

const hrefOf = async (page: Page, status: string, words: string): Promise<string> => {
  await page.getByLabel('Show').selectOption(status)
  await page.waitForURL((url) => url.searchParams.get('status') === status)
  // Rows from before stay until those of this status have arrived.
  const row = page.getByRole('row').first().filter({ hasText: words })
  return (await row.getByRole('link').first().getAttribute('href')) ?? ''
}

test(
  'a row says why it has no text, and its page what helps and what it costs',
  { skip },
  async () => {
    const { page, jobId } = member!
    await page.goto(`${site!.origin}/jobs/${jobId}`)
    const path = await hrefOf(page, 'unavailable', 'Unavailable')
    await page
      .getByRole('row')
      .getByText('only to viewers who have confirmed their age')
      .first()
      .waitFor()
    await page.goto(site!.origin + path)
    await page.getByText('Will trying again help?').waitFor()
    await page.getByText('Nothing. Only delivered transcripts are charged.').waitFor()
    assert.equal(await page.getByText('Page not found').count(), 0)
    assert.deepEqual(await seriousFaults(page), [])

    await page.goBack()
    await page.locator('[role=table][aria-rowcount="11"]').waitFor()
    await page.getByLabel('Search titles').fill('members')
    await page.waitForURL(/status=unavailable&q=members$/)
    await page.reload()
    await page.locator('[role=table][aria-rowcount="3"]').waitFor()
  },
)

test('a row that was delivered before opens the text of the earlier job', { skip }, async () => {
  const { page, jobId } = member!
  await page.goto(`${site!.origin}/jobs/${jobId}`)
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(jobId) && url.pathname !== '/new')
  await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 })
  await page.getByText('To have it in another language').waitFor()
  await page.goto(site!.origin + (await hrefOf(page, 'unchanged', 'Delivered before')))
  await page.waitForURL(`**/jobs/${jobId}/*`)
  await page.getByLabel('Search in this transcript').waitFor()
})

const currentTop = (page: Page) =>
  page.evaluate<number>(
    `document.querySelector('mark[data-current]')?.getBoundingClientRect().top ?? -1`,
  )

test('eleven hours are read and searched with a few paragraphs in the page', { skip }, async () => {
  const { page, jobId } = member!
  await page.goto(`${site!.origin}/jobs/${jobId}?q=Eleven+hours`)
  await page
    .getByRole('row')
    .getByRole('link', { name: /Eleven hours/ })
    .first()
    .click()
  await page.getByText(/^[\d,]+ words, [\d,]+ minutes to read$/).waitFor()
  assert.ok((await page.locator('[data-index]').count()) < 40)

  // Typing goes to the first match, and Enter to the next one.
  const box = page.getByLabel('Search in this transcript')
  await box.fill('bridge')
  const place = page.getByRole('search').getByRole('status')
  await until('the first match', async () => /^1\/\d{3,}/.test(await place.innerText()))
  await until('it is in sight', async () => (await currentTop(page)) > 0)
  await box.press('Shift+Enter')
  await until('the last match is in sight', async () => {
    const top = await currentTop(page)
    return /^(\d+)\/\1\b/.test(await place.innerText()) && top > 60 && top < DESK.height
  })
  assert.ok((await page.locator('[data-index]').count()) < 40)

  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  assert.ok((await page.locator('[data-index]').count()) > 200, 'paper gets all of it')
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  await page.getByText('Actions', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy a citation, BibTeX' }).waitFor()
  const path = page.url()
  // Fifteen thousand lines were drawn for the paper, and leave the page, which takes a busy machine a while.
  const patience = { timeout: 60_000 }
  const beside = page.getByRole('link', { name: /^(?:Next|Previous) transcript$/ })
  await beside.first().click(patience)
  await page.waitForURL((url) => url.href !== path, patience)
  await page.goBack()
  await page.waitForURL(path, patience)
})

test('the player is loaded by a click only, and a word leads it', { skip }, async () => {
  const { context, page } = member!
  const asked: string[] = []
  await standInForPlayer(context, asked)
  const path = new URL(page.url()).pathname
  await page.goto(`${site!.origin}/jobs`)
  await page.goto(`${site!.origin}${path}#t=4:07:00`)
  const line = page.locator('[data-index]', { hasText: /^4:0[67]:/ }).first()
  await line.waitFor()
  assert.deepEqual(asked, [])
  await page.getByRole('button', { name: 'Play beside the text' }).click()
  await until('the player was loaded', () => asked.length > 0)
  assert.deepEqual(asked, [`${site!.origin}/`])
  await until('a word leads the player, which tells where it is', async () => {
    await line.locator('p').click({ position: { x: 200, y: 20 } })
    return /#t=4:0[67]:\d\d$/.test(page.url()) && (await line.locator('[data-said]').count()) > 0
  })
  await until('it is at the word, not where its second begins', async () => {
    const playedAt = Number(await page.frames().at(-1)?.evaluate('currentTime'))
    return playedAt % 1 > 0
  })
  assert.deepEqual(await seriousFaults(page), [])
})

test(
  'lines that cannot be used do not hold up the others, and go with one click',
  { skip },
  async () => {
    const { page } = member!
    await page.goto(`${site!.origin}/new`)
    const box = page.getByLabel('What do you want to read?')
    await box.fill('@smallworkshop, @warsha\nhttps://example.com/a\nsomething else\n@dailynotes')
    const lines = page.getByRole('list', { name: 'Recognised lines' })
    await lines.getByText('Small Workshop').waitFor()
    const unclear = ['https://example.com/a', 'something else']
    assert.deepEqual(await lines.locator('del').allInnerTexts(), unclear)
    await page.getByText('More options').click()
    await page.getByLabel('Language').selectOption('Another …')
    await page.getByLabel('Code').fill('!!')
    await page.getByText('More options').click()
    // What is refused is unfolded again, and stays so while it is mended.
    await page.getByRole('button', { name: 'Start the job' }).click()
    await page.getByText('This is not a language code').waitFor()
    await page.getByLabel('Code').fill('en')
    await page.getByText('This is not a language code').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Remove 2 unusable lines' }).click()
    assert.equal(await box.inputValue(), '@smallworkshop\n@warsha\n@dailynotes')
    await lines.locator('del').first().waitFor({ state: 'detached' })
  },
)

test('a draft is there again after a reload and after signing in again', { skip }, async () => {
  const { page } = member!
  await page.goto(`${site!.origin}/new`)
  await page.getByLabel('What do you want to read?').fill('@smallworkshop @warsha')
  await page.getByLabel('Maximum number of videos').fill('7')
  await page.reload()
  assert.equal(
    await page.getByLabel('What do you want to read?').inputValue(),
    '@smallworkshop @warsha',
  )
  await endSessions()
  await page.reload()
  await page.getByLabel('Email').fill('states@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${site!.origin}/new`)
  assert.equal(await page.getByLabel('Maximum number of videos').inputValue(), '7')
  await page.goto(`${site!.origin}/sign-in?next=%2Fjobs`)
  await page.waitForURL(`${site!.origin}/jobs`)
})

async function endSessions(): Promise<void> {
  await site!.database.pool.query('delete from sign_in_session')
}

test('a page that lost the server says since when, and goes on by itself', { skip }, async () => {
  const { context, page } = member!
  await page.goto(`${site!.origin}/jobs`)
  await page.getByRole('link', { name: 'Caption Laboratory' }).first().waitFor()
  await context.route('**/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await page.getByText(/Not connected, last update \d+ s ago, trying again…/).waitFor()
  assert.ok(page.url().startsWith(site!.origin))
  await page.getByRole('link', { name: 'Following', exact: true }).waitFor()
  await context.unroute('**/*')
  await page.getByRole('heading', { name: 'The API' }).waitFor()
  await page.getByText('Not connected').waitFor({ state: 'detached' })
  assert.equal(await page.getByText('order-1').count(), 0)
})

test(
  'a new key is shown and held on to, and the focus stays near what was removed',
  { skip },
  async () => {
    const { page } = member!
    await page.goto(`${site!.origin}/settings/keys`)
    for (const name of ['first', 'second']) {
      await page.getByLabel('Name of the new key').fill(name)
      await page.getByRole('button', { name: 'Create a key' }).click()
      const shown = page.getByRole('group', { name: 'The new key' })
      await shown.waitFor()
      await until('it has the focus', () =>
        page.evaluate<boolean>(
          `document.activeElement?.getAttribute('aria-label') === 'The new key'`,
        ),
      )
      const asked = page.waitForEvent('dialog')
      const leaving = page.getByRole('link', { name: 'Library', exact: true }).click()
      await (await asked).dismiss()
      await leaving
      assert.ok(page.url().endsWith('/settings/keys'))
      await page.getByRole('button', { name: 'I have saved it' }).click()
    }
    const first = page.getByRole('listitem').filter({ hasText: 'first' })
    const prefix = (await first.locator('code').innerText()).replace('…', '')
    await first.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByText(prefix).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await first.waitFor({ state: 'detached' })
    await until('its neighbour has the focus', () =>
      page.evaluate<boolean>(
        `document.activeElement?.closest('li')?.innerText.includes('second') === true`,
      ),
    )

    await goToAccount(page)
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill(`${PASSWORD} anew`)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The password is changed').waitFor()
  },
)

test('a session that was ended elsewhere leaves one sentence and no money', { skip }, async () => {
  const { page } = member!
  await page.goto(`${site!.origin}/money`)
  await page.getByRole('region', { name: 'Balance' }).waitFor()
  await goToAccount(page, 'API keys')
  await endSessions()
  const signedOut = page.getByText('You are signed out.')
  // A question of the page's own may find it out before the form does: then there is no form any more.
  const createsKey = async (): Promise<void> => {
    await page.getByLabel('Name of the new key').fill('too late')
    await page.getByRole('button', { name: 'Create a key' }).click()
  }
  await Promise.any([createsKey(), signedOut.waitFor()])
  await signedOut.waitFor()
  assert.equal(await page.getByRole('alert').count(), 1)
  assert.equal(await page.getByText(/\$\d/).count(), 0)
})

test(
  'the email that proves an address is sent again where it was asked for',
  { skip },
  async (t) => {
    const { context, page } = await openWindow(site!.browser)
    t.after(() => context.close())
    await page.goto(`${site!.origin}/sign-up`)
    await page.getByLabel('Email').fill('again@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('button', { name: 'Send it again' }).click()
    await page.getByText('Sent again').waitFor()
    const sent = () => site!.mailBox.mails.filter(({ to }) => to === 'again@example.org').length
    await until('both are there', () => sent() === 2)
    await page.goto((await site!.mailBox.newestTo('again@example.org')).link ?? '')
    await page.waitForURL(`${site!.origin}/library`)
  },
)
