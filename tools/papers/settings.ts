/** The list of settings in docs/operating.md, printed as the code has them. */
import { SETTINGS } from '../../src/config/config.ts'
import { withBlock } from './block.ts'

const MARKS = { open: '<!-- settings -->\n', close: '<!-- /settings -->' }

/** Returns the manual with every setting, its unit and its default. */
export function tableOfSettings(now: string): string {
  const lines = [
    '| setting | what it sets | value | default |',
    '|---|---|---|---|',
    ...Object.entries(SETTINGS).map(
      ([name, { about, unit, defaultText }]) =>
        `| \`${name}\` | ${about} | ${unit} | ${defaultText} |`,
    ),
  ]
  return withBlock(now, MARKS, `\n${lines.join('\n')}\n\n`)
}
