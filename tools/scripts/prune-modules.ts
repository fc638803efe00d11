/** For the container image alone: removes from this folder's `node_modules` what a running service never loads. */
import fs from 'node:fs'
import path from 'node:path'
import { loadedFiles, productionModules } from './production-modules.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const MODULES = path.join(ROOT, 'node_modules')

const kept = new Set(
  [...productionModules(ROOT).keys()].flatMap((folder) =>
    loadedFiles(path.join(ROOT, folder)).map((file) => path.join(ROOT, folder, file)),
  ),
)
for (const entry of fs.readdirSync(MODULES, { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name)
  if (!entry.isDirectory() && !kept.has(file)) fs.rmSync(file)
}
