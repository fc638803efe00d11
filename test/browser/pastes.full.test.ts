/** The page of a new job never passes over what is pasted, dropped or chosen, in a real browser. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/until.ts'
import {
  noBrowser,
  openWindow,
  PHONE,
  picture,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'

const skip = noBrowser
const site = noBrowser === false ? await startSite({ after }) : null
const member = site === null ? null : await openWindow(site.browser)
if (member !== null) await signUpInBrowser(site!, member.page, 'pastes@example.org')
after(() => member?.context.close())

const CHANNEL = 'https://www.youtube.com/@smallworkshop'
const lines = () => member!.page.getByRole('list', { name: 'Recognised lines' })
const box = () => member!.page.getByLabel('What do you want to read?')

async function opens(text: string): Promise<void> {
  await member!.page.goto(`${site!.origin}/new`)
  await box().fill(text)
}

test(
  'links are counted where everybody sees it, and a near miss is mended by a button',
  { skip },
  async () => {
    const { page, complaints } = member!
    await opens(`${CHANNEL}\nwarsha\n${CHANNEL}\nhttps://example.com/a`)
    await page.getByText('1 link found · 2 lines not understood · 1 repeated').waitFor()
    await lines().getByText('line 2').waitFor()
    await picture(page, 'pastes-light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize(PHONE)
    await picture(page, 'pastes-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1440, height: 900 })
    assert.deepEqual(await seriousFaults(page), [])
    await page.getByRole('button', { name: 'Did you mean @warsha?' }).click()
    assert.equal(await box().inputValue(), `${CHANNEL}\n@warsha\n${CHANNEL}\nhttps://example.com/a`)
    await page.getByText('2 links found · 1 line not understood · 1 repeated').waitFor()
    assert.deepEqual(complaints, [])
  },
)

test('a list that goes on below its edge shows that it does', { skip }, async () => {
  const { page } = member!
  await opens(Array.from({ length: 20 }, (_, at) => `@name${at}x`).join('\n'))
  await page.getByText('20 links found').waitFor()
  await picture(page, 'pastes-long')
  const edge = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('.scroll-box'), '::after').position`,
  )
  assert.equal(edge, 'sticky')
})

test('files add their links, and a file without any says so', { skip }, async () => {
  const { page } = member!
  await opens('')
  const chooser = page.getByLabel('File with links')
  const file = (name: string, mimeType: string, text: string | Buffer) => ({
    name,
    mimeType,
    buffer: Buffer.from(text),
  })
  await chooser.setInputFiles(
    file(
      'list.csv',
      'text/csv',
      `title,url\n"Small, Workshop",${CHANNEL}\nB,https://youtu.be/9bZkp7q19f0\nC,oops\n`,
    ),
  )
  await page.getByText('2 links from “list.csv” added.').waitFor()
  await page.getByText('Lines 1 and 4 were left out: "title,url", "C,oops".').waitFor()
  assert.equal(await box().inputValue(), `${CHANNEL}\nhttps://youtu.be/9bZkp7q19f0`)
  const page1 = `<html><body><a href="https://www.youtube.com/watch?a=1&amp;v=dQw4w9WgXcQ">x</a></body></html>`
  await chooser.setInputFiles(file('page.html', 'text/html', page1 + ' '.repeat(70_000)))
  await page.getByText('1 link from “page.html” added.').waitFor()
  assert.match(await box().inputValue(), /\nhttps:\/\/www\.youtube\.com\/watch\?a=1&v=dQw4w9WgXcQ$/)
  const before = await box().inputValue()
  for (const [given, words] of [
    [file('a.png', 'image/png', Buffer.from([0x89, 0x50, 0, 0xff])), '“a.png” is not a text file.'],
    [file('b.txt', 'text/plain', 'nothing here'), '“b.txt” has no link'],
    [file('c.txt', 'text/plain', 'x'.repeat(2_000_001)), '“c.txt” is larger than 2 MB'],
    [file('d.txt', 'text/plain', 'x'.repeat(60_001)), 'more than 60,000 characters'],
  ] as const) {
    await chooser.setInputFiles(given)
    await page.getByText(words).waitFor()
    assert.equal(await box().inputValue(), before)
  }
})

test('a dropped file and copied links bring their addresses', { skip }, async () => {
  const { page } = member!
  await opens('@dailynotes')
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.items.add(new File(['{"urls":["@warsha"]}'], 'a.json', { type: 'application/json' }))
    const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true })
    document.querySelector('textarea').dispatchEvent(drop)
  })()`)
  await page.getByText('1 link from “a.json” added.').waitFor()
  assert.equal(await box().inputValue(), '@dailynotes\n@warsha')
  await opens('')
  /** Pastes, and returns the field's text at once: the page's next rendering resets text that no input event told. */
  const copies = (html: string, plain: string) =>
    page.evaluate<string>(`(() => {
      const data = new DataTransfer()
      data.setData('text/html', ${JSON.stringify(html)})
      data.setData('text/plain', ${JSON.stringify(plain)})
      const given = { clipboardData: data, bubbles: true, cancelable: true }
      const paste = new ClipboardEvent('paste', given)
      const box = document.querySelector('textarea')
      if (box.dispatchEvent(paste)) box.setRangeText(data.getData('text/plain'))
      return box.value
    })()`)
  await copies(
    `<p>Two <a href="https://youtu.be/dQw4w9WgXcQ">talks</a> by <a href="${CHANNEL}">us</a></p>`,
    'Two talks by us',
  )
  await until('both addresses are there', async () => {
    return (await box().inputValue()) === `https://youtu.be/dQw4w9WgXcQ\n${CHANNEL}`
  })
  await opens('')
  await copies('<p>See <a href="https://example.org/x">this</a></p>', 'See this')
  await until('the plain text is there', async () => (await box().inputValue()) === 'See this')
  await opens('')
  const same = await copies(`<a href="${CHANNEL}">${CHANNEL}</a>`, CHANNEL)
  assert.equal(same, CHANNEL, 'the browser pastes what the plain text holds')
})

test(
  'a preview that is refused leaves no line at "Looking", and says why at the field',
  { skip },
  async () => {
    const { page } = member!
    await opens(CHANNEL)
    await lines().getByText('Small Workshop').waitFor()
    await page.getByText('More options').click()
    await page.getByLabel('Language').selectOption('Another …')
    await page.getByLabel('Code').fill('english please')
    await page.getByText('This is not a language code').waitFor()
    await lines().getByText('Not looked up').waitFor()
    assert.equal(await lines().getByText('Looking …').count(), 0)
    await page.getByLabel('Language').selectOption('As spoken')
    await lines().getByText('24 videos').waitFor()
  },
)

test(
  'what was found for an earlier text is never shown as that of this one',
  { skip },
  async () => {
    const { page, context } = member!
    await opens(CHANNEL)
    await lines().getByText('Small Workshop').waitFor()
    await context.setOffline(true)
    await box().fill('@dailynotes')
    await page.getByText('Checking … The lines below are as they were before.').waitFor()
    assert.equal(await page.getByText('1 link found').count(), 0)
    await picture(page, 'pastes-offline')
    await context.setOffline(false)
    await lines().getByText('Daily Notes').waitFor()
    await page.getByText('1 link found').waitFor()
  },
)
