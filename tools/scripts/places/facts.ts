/** Facts whose places are counted, each by the register that has them. */
import { JobBody } from '../../../src/api/jobs/schema.ts'
import { PROBLEMS } from '../../../src/kit/problem.ts'
import { EXPORTS, FORMS, WHOLES, WORDS } from '../../../src/model/files/catalogue.ts'
import { REGISTER } from '../../../src/store/register.ts'
import type { CodeFile } from './sources.ts'

/** `place` is a pattern that stands where a file names the fact. */
type Fact = { name: string; place: RegExp }
export type Places = { name: string; files: string[] }

/** Names of files' kinds that are words of other things, too. */
const COMMON = /^(?:text|segments|zip|report|markdown|videos|passages|words|md|csv|json|jsonl|txt)$/

const asWord = (name: string): Fact => ({ name, place: new RegExp(`(?<![\\w-])${name}(?![\\w-])`) })

/** Files that may be downloaded, by their names in addresses and by those in clients, orders and ZIPs. */
export function formats(): Fact[] {
  const rows: [string, Row][] = Object.entries({ ...FORMS, ...WORDS, ...WHOLES, ...EXPORTS })
  return rows
    .map(([file, row]) => {
      const names = [file, row.format, row.inZip, row.client, row.command].filter(
        (name) => name !== undefined && !COMMON.test(name),
      )
      return {
        name: file,
        place: new RegExp(`(?<![\\w.-])(?:${[...new Set(names)].join('|')})(?![\\w.-])`),
      }
    })
    .filter(({ place }) => !place.source.includes('(?:)'))
}
type Row = { format?: string; inZip?: string; client?: string; command?: string }

/** Tables whose name is no word, where a list or a call names them; statements do not count. */
export function tables(): Fact[] {
  return Object.keys(REGISTER)
    .filter((name) => name.includes('_'))
    .map((name) => ({ name, place: new RegExp(`'${name}'|^  ${name}: \\{`, 'm') }))
}

export function tools(files: readonly CodeFile[]): Fact[] {
  const found = files
    .filter(({ file }) => file.startsWith('src/mcp/tools/'))
    .flatMap(({ code }) => [...code.matchAll(/\bname: '([a-z]+(?:_[a-z]+)+)'/g)])
  return found.map(([, name = '']) => asWord(name))
}

/** Fields of an order whose name is no word, as the API or as a column spells it. */
export function orderFields(): Fact[] {
  return Object.keys(JobBody.properties)
    .filter((name) => /[A-Z]/.test(name))
    .map((name) => {
      const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return { name, place: new RegExp(`\\b(?:requested_)?(?:${name}|${column})\\b`) }
    })
}

export function errorCodes(): Fact[] {
  return Object.keys(PROBLEMS).map(asWord)
}

/** The register's files are one place. */
const REGISTER_FILE = /^(src\/store\/register)[./].*/

export function placesOf(facts: readonly Fact[], files: readonly CodeFile[]): Places[] {
  return facts
    .map(({ name, place }) => ({
      name,
      files: [
        ...new Set(
          files
            .filter(({ code }) => place.test(code))
            .map(({ file }) => file.replace(REGISTER_FILE, '$1')),
        ),
      ],
    }))
    .toSorted((a, b) => b.files.length - a.files.length)
}
