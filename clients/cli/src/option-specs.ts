/** Options that several commands share, and the words that they take. */

import { FORMAT_ENDINGS } from '../../typescript/src/catalogue.ts'
import type { Format } from '../../typescript/src/index.ts'
import type { OptionSpec } from './command-spec.ts'

export const FILE_FORMATS = Object.keys(FORMAT_ENDINGS) as Format[]
export const PRINT_FORMATS = ['text', 'jsonl', 'markdown'] as const
export const NAMINGS = ['title', 'id', 'index'] as const
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export const OUTPUT: Record<string, OptionSpec> = {
  out: { value: 'DIR', about: 'folder for the files (transcripts)', short: 'o' },
  stdout: { value: null, about: 'print transcripts instead of writing files' },
  format: {
    value: 'LIST',
    about: `${FILE_FORMATS.join(',')}; printed: ${PRINT_FORMATS.join(', ')}`,
    choices: [...new Set([...FILE_FORMATS, ...PRINT_FORMATS])],
  },
  words: { value: null, about: 'and files with the time of each word, where known' },
  names: { value: 'WAY', about: 'name files by title, id or index (title)', choices: NAMINGS },
  template: { value: 'T', about: 'such as "{channel}/{date} {title} [{id}]"' },
  quiet: { value: null, about: 'no progress, no summary', short: 'q' },
}

export const DATES: Record<string, OptionSpec> = {
  since: { value: 'DATE', about: 'published on this day or later', also: 'after' },
  until: { value: 'DATE', about: 'published on this day or earlier', also: 'before' },
}
