/** `admin …` as an operator runs it, in this process or in one of its own: exit code and output. */
import { execFile } from 'node:child_process'
import assert from 'node:assert/strict'
import path from 'node:path'
import { promisify } from 'node:util'
import { admin as runAdmin, type Terminal } from '../../src/admin/admin.ts'
import { sentenceOf } from '../../src/kit/settings.ts'
import { openCommandContext } from '../../src/open-context.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { TEST_SETTINGS, testConfig } from '../support/settings.ts'

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts')
const run = promisify(execFile)

export type Printed = { code: number; out: string; err: string }

/** Runs a command in a process of its own, which is slower by that process's start. */
export async function adminProcess(url: string, ...words: string[]): Promise<Printed> {
  try {
    const { stdout, stderr } = await run(process.execPath, [MAIN, 'admin', ...words], {
      env: { DATA_DIR: TEST_SETTINGS.DATA_DIR, ...process.env, DATABASE_URL: url },
    })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

/** Runs commands on the database at `url` by the function that the program calls. */
export function adminOn(url: string, env: Record<string, string> = {}) {
  async function admin(...words: string[]): Promise<Printed> {
    const printed: string[] = []
    const print = (text: string): void => void printed.push(text)
    try {
      const config = testConfig({ ...process.env, PORT: '', DATABASE_URL: url, ...env })
      const open: Terminal['open'] = (how) => openCommandContext(config, how)
      return { code: await runAdmin(words, { open, print }), out: printed.join(''), err: '' }
    } catch (error) {
      return { code: 1, out: printed.join(''), err: `scriptorium: ${sentenceOf(error)}\n` }
    }
  }
  return {
    admin,
    /** Returns the one value that a command prints with `--json`; the command must succeed. */
    async value(...words: string[]): Promise<Json> {
      const { code, out, err } = await admin(...words, '--json')
      assert.deepEqual([code, err], [0, ''], `${words.join(' ')}: ${err}`)
      assert.equal(out.trim().split('\n').length, 1, out)
      return JSON.parse(out) as Json
    },
    /** Returns the sentence of a command that must refuse and print nothing else. */
    async refusal(...words: string[]): Promise<string> {
      const { code, out, err } = await admin(...words, '--json')
      assert.deepEqual([code, out], [1, ''], words.join(' '))
      return err.trim()
    },
  }
}
