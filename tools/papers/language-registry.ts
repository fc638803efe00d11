/** The registry of language subtags (IANA, RFC 5646) as far as the service knows it, printed for the model. */
import { readFileSync } from 'node:fs'

type Entry = {
  Type: string
  Subtag?: string
  Scope?: string
  Macrolanguage?: string
  Deprecated?: string
}

/**
 * Indonesian is Malay by the registry, but neither reads the other's captions as its own: CLDR's matching of languages
 * keeps them three times as far apart as other members and their macro language (30 to 10, release 48).
 */
const APART = new Set(['id'])

const LINE_MAX = 118

/** Returns the module, which the model reads (`src/model/transcripts/language-code.ts`). */
export function languageRegistry(): string {
  const languages = read<Entry[]>('registry').filter(({ Type }) => Type === 'language')
  const codes = languages.flatMap(({ Subtag = '', Scope = '' }) =>
    Scope === 'special' || Scope === 'private-use' ? [Subtag] : [],
  )
  const members = Map.groupBy(
    languages.filter(
      ({ Subtag = '', Deprecated }) => Deprecated === undefined && !APART.has(Subtag),
    ),
    ({ Macrolanguage }) => Macrolanguage,
  )
  const lines = [...members]
    .flatMap(([macro, of]) => (macro === undefined ? [] : [{ macro, of }]))
    .toSorted((a, b) => (a.macro < b.macro ? -1 : 1))
    .flatMap(({ macro, of }) => linesOf(macro, of.map(({ Subtag = '' }) => Subtag).toSorted()))
  return `/** The registry of language subtags (IANA) of ${read<{ 'File-Date': string }>('meta')['File-Date']}, by \`npm run print\`. */

/** Codes, and ranges of codes, that name no language: no speech, undetermined, several, uncoded, private. */
export const NO_LANGUAGES = '${codes.toSorted().join(' ')}'

/** Macro languages, and behind each the languages that it encompasses. */
export const MACRO_LANGUAGES = \`
${lines.join('\n')}
\`
`
}

function linesOf(macro: string, members: string[]): string[] {
  const lines: string[] = []
  for (const member of members) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + member.length < LINE_MAX)
      lines[lines.length - 1] = `${last} ${member}`
    else lines.push(`${macro}: ${member}`)
  }
  return lines
}

function read<Shape>(name: string): Shape {
  const file = new URL(import.meta.resolve(`language-subtag-registry/data/json/${name}.json`))
  return JSON.parse(readFileSync(file, 'utf8')) as Shape
}
