/** Claims of docs/accessibility.md, which the service shows as a page: what the browser's tests measure, no more. */
import path from 'node:path'
import { AXE_RULES, DESK, OTHER_WIDTHS, PHONE, SHIFT_MAX } from '../../test/browser/measures.ts'
import { OPERATOR } from '../../test/browser/console-views.ts'
import { withProjects } from '../../test/browser/project-views.ts'
import { inside, OUTSIDE } from '../../test/browser/views.ts'
import { withBlock } from './block.ts'

const MARKS = { open: '## What is checked\n', close: '\n## What is missing\n' }
const VERSIONS = /^wcag(\d)(\d?)a+$/

const STAND = {
  jobId: '1',
  readerPath: '/1',
  trackPath: '/1',
  besidePath: '/1?beside=0190-x.2',
  undeliveredPath: '/2',
  otherLanguagePath: '/3',
  collectionPath: '/4',
  webhookPath: '/5',
  batchPath: '/6',
}

/** A claim, and the tests that check it: a file, and a text that stands in it where it does. */
type Claim = { said: string; by: [file: string, text: string][] }

const views = [...OUTSIDE, ...inside(STAND), ...withProjects('', ''), ...OPERATOR].length
const versions = [
  ...new Set(
    AXE_RULES.flatMap((rule) => {
      const [, major, minor] = VERSIONS.exec(rule) ?? []
      return major === undefined ? [] : [`${major}.${minor === '' ? '0' : minor}`]
    }),
  ),
]
const widths = [PHONE.width, DESK.width, ...OTHER_WIDTHS].toSorted((a, b) => a - b)

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const { SHORTCUTS } = (await import(
  path.resolve(import.meta.dirname, '../../web/src/shortcuts.ts')
)) as { SHORTCUTS: { keys: string[]; words: string }[] }
const shortcuts = SHORTCUTS.map(({ keys, words }) => `${keys.join(' or ')} (${words})`)

export const CLAIMS: readonly Claim[] = [
  {
    said: `Each of ${views} pages and states of pages has no serious or critical finding of axe, by its rules for WCAG ${versions.join(', ')} (levels A and AA) and its best practices: names and roles for screen readers, labels of fields, order of headings, contrast of colours, touch targets of 24 pixels. Every change is checked in light, in dark or on a phone, in turn; each night in all three.`,
    by: [
      ['test/browser/pictures.full.test.ts', 'BY_TURNS'],
      ['test/browser/pictures.nightly.test.ts', 'EVERY_LOOK'],
      ['test/browser/looks.ts', 'seriousFaults(page, axe)'],
      ['test/browser/site.ts', "'target-size': { enabled: true }"],
    ],
  },
  {
    said: `No page has to be scrolled sideways, at ${widths.join(', ')} pixels. ${Math.min(...widths)} pixels are what a window of ${DESK.width} has when it is enlarged to ${(100 * DESK.width) / Math.min(...widths)} %.`,
    by: [['test/browser/looks.ts', 'for (const width of OTHER_WIDTHS)']],
  },
  {
    said: 'By the keyboard alone, a customer signs up, pays, starts a job, reads, quotes and signs out. Whatever has the focus shows it, and its ring is not cut; the first key skips to the content; a question that is closed gives the focus back.',
    by: [
      ['test/browser/keyboard.full.test.ts', 'without a mouse'],
      ['test/browser/keyboard.full.test.ts', 'shows that it has the focus'],
      ['test/browser/keyboard.full.test.ts', 'Skip to content'],
      ['test/browser/keyboard.full.test.ts', 'the focus is back where the question was asked'],
    ],
  },
  {
    said: `Shortcuts: ${shortcuts.join(', ')}. They do nothing while you type, and those of single keys can be switched off in their list.`,
    by: [
      ['test/account/web-shortcuts.test.ts', 'single keys do nothing while somebody types'],
      ['test/browser/ways.full.test.ts', 'and can be switched off'],
    ],
  },
  {
    said: `Nothing moves by itself while a page loads (a shift of ${SHIFT_MAX} at most). Whoever asked their system for less motion sees no word move while a video plays.`,
    by: [
      ['test/browser/looks.ts', 'sum > SHIFT_MAX'],
      ['test/browser/words.full.test.ts', "reducedMotion: 'reduce'"],
    ],
  },
]

/** Returns the statement with its claims. */
export function accessibilityClaims(now: string): string {
  return withBlock(now, MARKS, `\n${CLAIMS.map(({ said }) => `- ${said}\n`).join('')}`)
}
