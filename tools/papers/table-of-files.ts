/** The table of files that docs/library.md has, printed from the catalogue. */
import { EXPORTS, FORMS, WHOLES, WORDS, ZIP_EXPORTS } from '../../src/model/files/catalogue.ts'
import { withBlock } from './block.ts'

const MARKS = { open: '<!-- printed: files -->\n', close: '<!-- /printed -->' }

type Row = { about: string; query?: readonly string[]; inZip?: string }

/** Returns docs/library.md with the table of files. */
export function tableOfFiles(now: string): string {
  const asked = [...ZIP_EXPORTS.keys()].join(',')
  const lines = [
    '| file | what it is | of | options |',
    '|---|---|---|---|',
    ...rowsOf(WHOLES, 'all texts'),
    ...rowsOf(EXPORTS, 'all texts, made while sent'),
    ...Object.entries(FORMS).map(([ending, { about }]) =>
      line(`{index}.${ending}`, about, 'one text'),
    ),
    ...Object.entries(WORDS).map(([file, { about }]) =>
      line(`videos/{index}/${file}`, about, 'one text of a job'),
    ),
  ]
  const block = `\n${lines.join('\n')}\n\nA ZIP has \`all-transcripts.txt\` and \`report.csv\` beside the files of each text, and with \`?exports=${asked}\` further files of each.\n\n`
  return withBlock(now, MARKS, block)
}

function rowsOf(rows: Record<string, Row>, of: string): string[] {
  return Object.entries(rows).map(([file, { about, query = [] }]) => {
    return line(file, about, of, query.map((name) => `\`${name}\``).join(', '))
  })
}

function line(file: string, about: string, of: string, options = ''): string {
  return `| \`${file}\` | ${about} | ${of} | ${options} |`
}
