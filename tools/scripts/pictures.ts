/**
 * `npm run pictures`: every page in light, dark and on a phone, into docs/pictures. The views are those of
 * test/browser/views.ts, which pictures.nightly.test.ts draws in full; here they become small enough to be kept. So do
 * those of the first page, which go to web/public/pictures; the picture of shared links is drawn.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { PICTURE } from '../../src/api/landing/showcase.ts'
import { CHROMIUM } from '../../test/browser/chromium.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DRAWN = path.join(ROOT, 'test/browser/out')
const KEPT = path.join(ROOT, 'docs/pictures')
const VIEW = /^(?!shown-)(.+\.(light|dark|phone))\.png$/
/** Pictures of the first page, which visitors load. */
const SHOWN = path.join(ROOT, 'web/public/pictures')
const SHOWN_NAME = /^shown-(.+)\.png$/
const SHOWN_WIDTH = 2 * PICTURE.width
/** Pixels; longer pages are cut. */
const WIDTHS: Record<string, number> = { light: 1_000, dark: 1_000, phone: 480 }
const HEIGHT_MAX = 1_800
const QUALITY = 0.5

const begunAt = Date.now()
run(['test/browser/pictures.nightly.test.ts'], { PICTURES: '1' })
const drawn = fs
  .readdirSync(DRAWN)
  .filter((name) => fs.statSync(path.join(DRAWN, name)).mtimeMs >= begunAt)
const views = drawn.filter((name) => VIEW.test(name))
const shown = drawn.filter((name) => SHOWN_NAME.test(name))
// Pictures that were not chosen by VIEWS stay as they are.
if (process.env['VIEWS'] === undefined) fs.rmSync(KEPT, { recursive: true, force: true })
for (const folder of [KEPT, SHOWN]) fs.mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
let bytes = 0
for (const name of views) {
  const [, view = '', look = ''] = VIEW.exec(name) ?? []
  const width = WIDTHS[look] ?? 0
  bytes += await keep(browser, { name, width, file: path.join(KEPT, `${view}.webp`) })
}
for (const name of shown) {
  const file = path.join(SHOWN, `${SHOWN_NAME.exec(name)?.[1] ?? name}.webp`)
  await keep(browser, { name, width: SHOWN_WIDTH, file })
}
await drawShared(browser)
await browser.close()
process.stdout.write(
  `${views.length} pictures, ${(bytes / 1_048_576).toFixed(1)} MB, in docs/pictures\n`,
)

function run(program: string[], env: Record<string, string> = {}): void {
  const { status } = spawnSync(process.execPath, program, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Keeps a picture, and returns its size. The browser makes it smaller, since it can write WebP without a further
 * package.
 */
async function keep(
  open: Browser,
  { name, width, file }: { name: string; width: number; file: string },
): Promise<number> {
  const png = fs.readFileSync(path.join(DRAWN, name)).toString('base64')
  const page = await open.newPage()
  const data = (await page.evaluate(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png}'
    await image.decode()
    const scale = Math.min(1, ${width} / image.width)
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(image.width * scale)
    canvas.height = Math.min(${HEIGHT_MAX}, Math.round(image.height * scale))
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, Math.round(image.height * scale))
    return canvas.toDataURL('image/webp', ${QUALITY})
  })()`)) as string
  await page.close()
  const webp = Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
  fs.writeFileSync(file, webp)
  return webp.length
}

/** Draws the picture that other sites show with a link (src/api/landing/page.ts names it, with its size). */
async function drawShared(open: Browser): Promise<void> {
  const page = await open.newPage({ viewport: { width: 1_200, height: 630 } })
  const read = (name: string) => fs.readFileSync(path.join(ROOT, 'web/public', name))
  const font = read('fonts/source-serif.woff2').toString('base64')
  await page.setContent(`<!doctype html>
    <style>${read('tokens.css').toString()}
      @font-face { font-family: Shared; src: url(data:font/woff2;base64,${font}); font-weight: 200 900 }
      body { margin: 0; padding: 96px; background: var(--paper); color: var(--ink); font-family: Shared }
      p { display: flex; gap: 24px; align-items: center; margin: 0 0 72px; font-size: 44px; font-weight: 600 }
      svg { width: 64px; height: 64px }
      h1 { margin: 0; font-size: 92px; font-weight: 600; line-height: 1.12; letter-spacing: -0.01em }
    </style>
    <p>${read('icon.svg').toString()} Scriptorium</p>
    <h1>Search and read every word of a channel.</h1>`)
  await page.evaluate('document.fonts.ready.then(() => true)')
  await page.screenshot({ path: path.join(ROOT, 'web/public/shared.png') })
  await page.close()
}
