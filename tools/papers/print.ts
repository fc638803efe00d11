/**
 * `npm run print`: writes what is printed of the registers, so that no list is told twice. `npm run print -- --check`,
 * which is part of `npm run check`, writes nothing and names each file that it would change. `npm run print --
 * --examples` records the examples anew before.
 */
import fs from 'node:fs'
import path from 'node:path'
import { format, getFileInfo, resolveConfig } from 'prettier'
import { accessibilityClaims } from './accessibility.ts'
import { alertRules } from './alerts.ts'
import { printDescription } from './contract.ts'
import { catalogueCommand, cataloguePython, catalogueTypeScript } from './clients.ts'
import { deletionTimes } from './deletion-times.ts'
import { EXAMPLES_FILE } from './examples.ts'
import { languageRegistry } from './language-registry.ts'
import { typesPython } from './python-types.ts'
import { referenceOf } from './reference.ts'
import { tableOfSettings } from './settings.ts'
import { tableOfFiles } from './table-of-files.ts'
import { typesOfClient } from './types.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const IGNORED = path.join(ROOT, '.prettierignore')

/** A printed file; `print` gets what it holds now, of which a block may be printed only. */
type Paper = { file: string; print: (now: string) => string }

const isCheck = process.argv.includes('--check')
const isRecording = process.argv.includes('--examples')
if (isRecording && isCheck)
  throw new Error('--check writes nothing, and --examples does: choose one')
if (isRecording) {
  const { record } = await import('./record-examples.ts') // the whole service, which printing does without
  const examples = await record()
  fs.writeFileSync(path.join(ROOT, EXAMPLES_FILE), `${JSON.stringify(examples, null, 1)}\n`)
}
const openapi = await printDescription()

const PAPERS: Paper[] = [
  {
    file: 'src/api/documents/printed/openapi.json',
    print: () => `${JSON.stringify(openapi, null, 1)}\n`,
  },
  { file: 'src/api/documents/printed/docs.md', print: () => referenceOf(openapi) },
  { file: 'clients/typescript/src/schema.ts', print: () => typesOfClient(openapi) },
  { file: 'clients/typescript/src/catalogue.ts', print: catalogueTypeScript },
  { file: 'clients/cli/src/catalogue.ts', print: catalogueCommand },
  {
    file: 'clients/python/scriptorium_client.py',
    print: (now) => typesPython(openapi, cataloguePython(now)),
  },
  { file: 'src/model/transcripts/language-registry.ts', print: languageRegistry },
  { file: 'docs/library.md', print: tableOfFiles },
  { file: 'docs/operating.md', print: tableOfSettings },
  { file: 'docs/operating/alerts.yaml', print: alertRules },
  { file: 'docs/legal/deletion-times.md', print: deletionTimes },
  { file: 'docs/accessibility.md', print: accessibilityClaims },
]

const stale: string[] = []
for (const { file, print } of PAPERS) {
  const filepath = path.join(ROOT, file)
  const now = fs.existsSync(filepath) ? fs.readFileSync(filepath, 'utf8') : ''
  const printed = await formatted(
    filepath,
    printedText(file, () => print(now)),
  )
  if (printed === now) continue
  if (isCheck) stale.push(file)
  else fs.writeFileSync(filepath, printed)
}
for (const file of stale)
  process.stderr.write(`${file} is not as it is printed: \`npm run print\` writes it\n`)
process.exitCode = stale.length > 0 ? 1 : 0
// A library's timer, of the service that was recorded, is no reason to stay alive.
if (isRecording) process.exit()

/** Returns what is printed; an error names the file. */
function printedText(file: string, print: () => string): string {
  try {
    return print()
  } catch (error) {
    throw new Error(`${file} cannot be printed: ${String(error)}`, { cause: error })
  }
}

/** Returns a text as the checks want it; those that prettier leaves alone are as they are. */
async function formatted(filepath: string, text: string): Promise<string> {
  const { ignored, inferredParser } = await getFileInfo(filepath, { ignorePath: IGNORED })
  if (ignored || inferredParser === null) return text
  return format(text, { ...(await resolveConfig(filepath)), filepath })
}
