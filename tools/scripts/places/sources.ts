/** Hand-written code in which a fact may stand, with and without its comments. */
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { trackedFiles } from '../../../test/support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const TREES = /^(?:src|web|clients|emulator|tools\/papers)\//
const CODE = /\.(?:ts|tsx|mjs|py)$/
/** Tests, types of packages, and what is written by a command: its first line says by which. */
const NOT_MEANT = /\.test\.tsx?$|\.d\.ts$|^clients\/python\/tests\/|\/node_modules\//
const PRINTED = /[Ww]ritten (?:by|from) .*\bnpm run /
const COMMENTS_OF_PYTHON = /(?<=^|\s)# .*$|^\s*"""[^]*?"""/gm

export type CodeFile = { file: string; text: string; code: string }

/** Blocks of a file that a command writes, between two comments. */
const PRINTED_BLOCK = /# Written by `npm run .*\n[^]*?# End of what is printed\.\n/g

/** Returns the files of `src web clients tools emulator` that somebody wrote by hand, in order of their names. */
export function handWritten(): CodeFile[] {
  return trackedFiles()
    .filter((file) => TREES.test(file) && CODE.test(file) && !NOT_MEANT.test(file))
    .map((file) => {
      const text = readTracked(file).replace(PRINTED_BLOCK, (block) => block.replace(/[^\n]/g, ' '))
      return {
        file,
        text,
        code: withoutComments(file, text),
      }
    })
    .filter(({ text }) => !PRINTED.test(text.slice(0, text.indexOf('\n'))))
}

/** Returns the code with blanks in the place of its comments, so that lines stay where they are. */
function withoutComments(file: string, text: string): string {
  const blank = (comment: string): string => comment.replace(/[^\n]/g, ' ')
  if (file.endsWith('.py')) return text.replace(COMMENTS_OF_PYTHON, blank)
  let [code, from] = ['', 0]
  for (const { start, end } of parseSync(file, text).comments) {
    code += text.slice(from, start) + blank(text.slice(start, end))
    from = end
  }
  return code + text.slice(from)
}

export function readTracked(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8')
}
