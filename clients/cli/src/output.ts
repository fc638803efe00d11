/** Where `get` and `download` put the texts, according to their options. */
import path from 'node:path'
import { FORMAT_ENDINGS, WORD_ENDINGS } from '../../typescript/src/catalogue.ts'
import { FILE_FORMATS, NAMINGS, PRINT_FORMATS } from './commands.ts'
import { usageFailure } from './failure.ts'
import { readTemplate, TEMPLATES } from './file-names.ts'
import type { Options } from './parse-words.ts'
import type { PrintFormat } from './print-texts.ts'
import { choiceOption, textOption } from './shell.ts'
import type { FileOutput } from './write-files.ts'
import type { FormatEnding } from './zip-download.ts'

export type Output = ({ kind: 'files' } & FileOutput) | { kind: 'stdout'; format: PrintFormat }

/** Endings by the names of their formats, and by themselves. */
const ENDINGS = new Map<string, FormatEnding>(
  Object.entries(FORMAT_ENDINGS).flatMap(([format, ending]) => [
    [format, ending],
    [ending, ending],
  ]),
)
const FOLDER = 'transcripts'

export function readOutput(options: Options, isJson: boolean): Output {
  const out = textOption(options, 'out')
  if (options['stdout'] === true || out === '-') {
    const wrong = ['names', 'template', 'words'].find((name) => options[name] !== undefined)
    if (wrong !== undefined) throw usageFailure(`--${wrong} is for files, not for --stdout`)
    if (isJson) throw usageFailure('--json tells about files; --stdout has --format jsonl')
    return { kind: 'stdout', format: choiceOption(options, 'format', PRINT_FORMATS) ?? 'text' }
  }
  const template = textOption(options, 'template')
  const names = choiceOption(options, 'names', NAMINGS)
  if (template !== undefined && names !== undefined) {
    throw usageFailure('use either --names or --template')
  }
  return {
    kind: 'files',
    folder: path.resolve(out ?? FOLDER),
    template: readTemplate(template ?? TEMPLATES[names ?? 'title']),
    endings: [
      ...readEndings(textOption(options, 'format')),
      ...(options['words'] === true ? Object.values(WORD_ENDINGS) : []),
    ],
  }
}

function readEndings(list = 'text'): FormatEnding[] {
  const names = list.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !ENDINGS.has(name))
  if (wrong !== undefined) {
    const printed = (PRINT_FORMATS as readonly string[]).includes(wrong)
      ? '; that one needs --stdout'
      : ''
    throw usageFailure(`--format of files is ${FILE_FORMATS.join(', ')}, not "${wrong}"${printed}`)
  }
  return [...new Set(names.flatMap((name) => ENDINGS.get(name) ?? []))]
}
