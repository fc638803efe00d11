/**
 * What people start needs no tools: `npm start` and `npm run demo` install what runs and what builds the website, and
 * no more.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { readSources } from '../../tools/scripts/import-graph.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TREES = ['src', 'tools/scripts', 'tools/demo', 'emulator', 'clients', 'web']

type Manifest = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  /** The root alone has them. */
  lightPrograms?: string[]
}

function manifest(file: string): Manifest {
  return JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')) as Manifest
}

/** A package whose program is started, or looked for, by its path. */
const BY_PATH = /\bnode_modules\/((?:@[\w-]+\/)?[a-z][\w-]*)/g

const importsOf = new Map(readSources(ROOT, TREES).map(({ file, imports }) => [file, imports]))

/** Packages that are imported, or named by their path, when the program runs, each by one file that does. */
function packagesOf(program: string): Map<string, string> {
  assert.ok(importsOf.has(program), program)
  const reached = new Set([program])
  const packages = new Map<string, string>()
  for (const file of reached) {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
    for (const [, name = ''] of text.matchAll(BY_PATH)) packages.set(name, file)
    for (const { to, isType } of importsOf.get(file) ?? []) {
      if (isType || isBuiltin(`node:${to}`)) continue
      if (importsOf.has(to)) reached.add(to)
      else if (!to.includes('/') || !fs.existsSync(path.join(ROOT, to)))
        packages.set(nameOf(to), file)
    }
  }
  return packages
}

function nameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

test('no program that people start needs a package of the tools', () => {
  const web = manifest('web/package.json')
  const { dependencies, lightPrograms = [] } = manifest('package.json')
  const known = { ...dependencies, ...web.dependencies }
  const light = new Set(Object.keys({ ...known, ...web.devDependencies }))
  assert.ok(lightPrograms.length > 0)
  for (const program of lightPrograms)
    for (const [name, file] of packagesOf(program))
      assert.ok(light.has(name), `${file} needs ${name}, and ${program} is installed without it`)
})
