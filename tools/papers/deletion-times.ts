/** When each kind of data goes, as docs/legal/deletion-times.md says it, printed from the register of tables. */
import { SETTINGS } from '../../src/config/config.ts'
import { placeOfNumber, REGISTER } from '../../src/store/register.ts'
import type { Erasure, NumberName, PeoplesTable } from '../../src/store/register/entry.ts'
import { withBlock } from './block.ts'
import { numberOf } from './number-in-code.ts'

const MARKS = { open: '<!-- times -->\n', close: '<!-- /times -->' }

/** Returns the template with the times of the code. */
export function deletionTimes(now: string): string {
  const lines = [
    '| what | table | goes by itself after | when the account is deleted |',
    '|---|---|---|---|',
    ...Object.entries(REGISTER).flatMap(([table, entry]) =>
      entry.holds === undefined
        ? []
        : [`| ${entry.holds} | \`${table}\` | ${timeOf(entry.goesAfter)} | ${fateOf(entry)} |`],
    ),
  ]
  const set = (['RETENTION_DAYS', 'BACKUP_DAYS'] as const).map((name) => {
    const { unit, defaultText, about } = SETTINGS[name]
    return `- \`${name}\` (${unit}, by default ${defaultText}): ${about}`
  })
  const block = [...lines, '', 'What the operator sets:', '', ...set].join('\n')
  return withBlock(now, MARKS, `\n${block}\n\n`)
}

const FATES: Record<Extract<Erasure, string>, string> = {
  at_once: 'deleted at once',
  by_account: 'deleted in the background, soon after',
  by_job: 'deleted in the background, soon after',
  after_jobs: 'deleted in the background, soon after',
  stripped: 'stays without what names or describes anybody',
}

/** Returns what becomes of a table's rows when their account is deleted. */
function fateOf({ erased }: PeoplesTable): string {
  if (typeof erased === 'string') return FATES[erased]
  return 'with' in erased ? `deleted with \`${erased.with}\`` : `stays: ${erased.kept}`
}

/** Returns a time as people say it: the largest unit in which it is whole. */
function timeOf(name: NumberName | undefined): string {
  if (name === undefined) return '–'
  const { file, constant } = placeOfNumber(name)
  const seconds = numberOf(file, constant) * (/days$/i.test(name) ? 86_400 : 1)
  const units = { day: 86_400, hour: 3_600, minute: 60 }
  for (const [unit, length] of Object.entries(units))
    if (seconds % length === 0) return `${seconds / length} ${unit}${seconds === length ? '' : 's'}`
  return `${seconds} seconds`
}
