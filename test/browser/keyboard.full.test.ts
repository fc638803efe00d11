/** The whole journey of a customer by the keyboard alone, from signing up to signing out. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD } from '../account/visitor.ts'
import { noBrowser, openWindow, type Page, startSite } from './site.ts'

const STEPS_MAX = 60
/** Numbers of keys from one control to the next, which are printed: nobody should need many. */
let steps = 0
let longest = { steps: 0, to: '' }

const site = noBrowser === false ? await startSite({ after }) : null
const skip = noBrowser

/** Returns the name of the focused element, as a screen reader says it; empty on the page itself. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const one = document.activeElement
    const name = one.getAttribute('aria-label') ?? (one.labels?.[0] ?? one).textContent
    return one === document.body ? '' : name.replace(/\\s+/g, ' ').trim()
  })()`) as Promise<string>
}

/** Presses the key until the focused element has this name and is visibly focused. */
async function tabsTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let step = 1; step <= STEPS_MAX; step += 1) {
    await page.keyboard.press(key)
    steps += 1
    const here = await focused(page)
    passed.push(here)
    if (typeof name === 'string' ? here !== name : !name.test(here)) continue
    const isSeen = await page.evaluate(`(() => {
      const one = document.activeElement
      const { outlineStyle, boxShadow } = getComputedStyle(one)
      const { width, height } = one.getBoundingClientRect()
      const aroundRow = getComputedStyle(one, '::after').outlineStyle
      const isRinged = [outlineStyle, boxShadow, aroundRow].some((ring) => ring !== 'none')
      return width > 0 && height > 0 && (isRinged || one.type === 'radio')
    })()`)
    assert.ok(isSeen, `${here} shows that it has the focus`)
    if (step > longest.steps) longest = { steps: step, to: here }
    return
  }
  assert.fail(`${String(name)} is not reached: ${passed.join(' > ')}`)
}

/** Returns the names of elements whose focus ring is not seen, or is cut by an element around them. */
function cutRings(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('main a, main button')].filter((one) => {
    one.focus()
    if (document.activeElement !== one) return false
    const own = getComputedStyle(one)
    if (own.outlineStyle === 'none') return getComputedStyle(one, '::after').outlineStyle === 'none'
    const beyond = parseFloat(own.outlineOffset) + parseFloat(own.outlineWidth)
    return [...one.getClientRects()].some(({ left, right, top, bottom }) => {
      for (let around = one.parentElement; around !== null; around = around.parentElement) {
        if (getComputedStyle(around).overflowX !== 'hidden') continue
        const box = around.getBoundingClientRect()
        if (left - beyond < box.left - 1 || right + beyond > box.right + 1) return true
        if (top - beyond < box.top - 1 || bottom + beyond > box.bottom + 1) return true
      }
      return false
    })
  }).map((one) => one.textContent)`) as Promise<string[]>
}

async function follows(page: Page, name: string | RegExp): Promise<void> {
  await tabsTo(page, name)
  await page.keyboard.press('Enter')
}

const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

test(
  'a customer signs up, pays, starts a job, reads and leaves without a mouse',
  { skip },
  async (t) => {
    const { origin, browser, stripe, mailBox } = site!
    const { context, page, complaints } = await openWindow(browser)
    const email = 'keyboard@example.org'

    // From the first page to an account.
    await page.goto(`${origin}/`)
    await heading(page, /every word of a channel/)
    await follows(page, 'Create an account')
    await page.waitForURL(`${origin}/sign-up`)
    await heading(page, /account/)
    await tabsTo(page, 'Email')
    await page.keyboard.type(email)
    await tabsTo(page, 'Password')
    await page.keyboard.type(PASSWORD)
    await follows(page, 'Create the account')
    await page.getByText('Check your email').waitFor()
    await page.goto((await mailBox.newestTo(email)).link ?? '')
    await page.waitForURL(`${origin}/library`)
    await page.getByText('Three things to try').waitFor()

    // Money, paid on the partner's page.
    await follows(page, 'Billing')
    await heading(page, 'Billing')
    await tabsTo(page, /^\$\d+\.00/)
    await page.keyboard.press('ArrowRight')
    await follows(page, /^Pay \$/)
    await page.waitForURL((url) => url.origin === stripe.origin)
    const [checkoutId = ''] = [...stripe.checkouts.keys()]
    await stripe.pay(checkoutId)
    const back = stripe.checkouts.get(checkoutId)?.successUrl ?? ''
    await page.goto(back.replace('{CHECKOUT_SESSION_ID}', checkoutId))
    await page.getByText(/has arrived and is in your balance/).waitFor()

    // A job, over the link that skips the navigation.
    await page.goto(`${origin}/new`)
    await heading(page, 'New job')
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'What do you want to read?')
    await page.keyboard.type('@smallworkshop')
    await follows(page, /^Start the job/)
    await page.waitForURL(/\/jobs\/[\w-]+$/)
    const again = page.getByRole('button', { name: 'Run again' })
    await again.waitFor({ timeout: 60_000 })

    // A question, answered with no, gives the focus back.
    await tabsTo(page, 'Run again')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'Run again', 'the focus is back where the question was asked')

    // Wherever the focus is, the whole ring is seen.
    const jobPage = page.url()
    await page.getByRole('row').nth(2).waitFor()
    assert.deepEqual(await cutRings(page), [])
    for (const list of ['jobs', 'library']) {
      await page.goto(`${origin}/${list}`)
      await page.getByRole('link', { name: 'Small Workshop' }).first().waitFor()
      await page.keyboard.press('Tab')
      assert.deepEqual(await cutRings(page), [], list)
    }
    await follows(page, 'Small Workshop')
    await page.waitForURL(/\/library\/.+/)
    await page.getByRole('listitem').nth(3).waitFor()
    assert.deepEqual(await cutRings(page), [], 'a channel')
    await page.goto(jobPage)

    // The reader: a word is found, a paragraph is quoted by its time, and the way back.
    await page.getByRole('row').nth(2).waitFor()
    const first = page
      .getByRole('row')
      .getByRole('link')
      .filter({ hasNotText: /^(?:txt|srt|vtt|json)$/ })
      .first()
    const title = await first.innerText()
    await follows(page, title)
    await heading(page, title)
    await tabsTo(page, 'Search in this transcript')
    await page.keyboard.type('the')
    await page.locator('mark').first().waitFor()
    await page.keyboard.press('Enter')
    await tabsTo(page, /^Quote or link at/)
    await page.keyboard.press('Enter')
    await tabsTo(page, 'Copy quote')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    assert.match(await focused(page), /^Quote or link at/, 'the focus is back at the paragraph')
    await tabsTo(page, 'The whole job', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await again.waitFor()

    await tabsTo(page, 'Account menu', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await follows(page, 'Account')
    await heading(page, 'Account')
    await follows(page, 'Sign out')
    await page.getByRole('link', { name: 'Create an account' }).first().waitFor()
    t.diagnostic(
      `from signing up to signing out: ${steps} steps by Tab, at most ${longest.steps}, to “${longest.to}”`,
    )
    assert.deepEqual(
      complaints.filter((text) => !text.includes(stripe.origin.replace(/^.*:/, ':'))),
      [],
    )
    await context.close()
  },
)
