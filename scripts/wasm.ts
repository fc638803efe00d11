/**
 * `npm run wasm`: compiles `assembly/` to `src/model/transcripts/forms.wasm`, which is kept beside its users, so that whoever
 * runs the service needs no compiler. A test compares the file with what its sources give.
 */
import fs from 'node:fs/promises'
import path from 'node:path'
import asc from 'assemblyscript/asc'

const ROOT = path.dirname(import.meta.dirname)
export const WASM_FILE = path.join(ROOT, 'src/model/transcripts/forms.wasm')
/** No runtime, since nothing is allocated, and addresses are not checked twice: the machine checks them. */
const OPTIONS = ['--runtime', 'stub', '--noAssert', '-O3']

/** The same bytes from the same sources, on any machine. Throws with the compiler's words. */
export async function compileForms(): Promise<Uint8Array> {
  const made = new Map<string, string | Uint8Array>()
  const { error, stderr } = await asc.main(
    ['assembly/index.ts', '--baseDir', ROOT, '--outFile', 'forms.wasm', ...OPTIONS],
    { writeFile: (name, contents) => void made.set(name, contents) },
  )
  const wasm = made.get('forms.wasm')
  if (error !== null || !(wasm instanceof Uint8Array))
    throw new Error(`assembly/ was not compiled: ${stderr.toString()}`, { cause: error })
  return wasm
}

// run.mjs may have imported this file: then the process began with another one, and argv names this one.
if (process.argv[1] === import.meta.filename) await fs.writeFile(WASM_FILE, await compileForms())
