/** Reads the Dockerfile: its stages, and the folder that its last one is, laid out from a checkout. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { DockerfileParser, type ModifiableInstruction } from 'dockerfile-ast'
import { loadedFiles, productionModules } from '../../tools/scripts/production-modules.ts'

export const CHECKOUT = path.resolve(import.meta.dirname, '../..')

type Step = { keyword: string; words: string[] }

/** Returns the instructions of the last stage, in order. */
export function lastStage(): Step[] {
  const text = fs.readFileSync(path.join(CHECKOUT, 'Dockerfile'), 'utf8')
  const steps = DockerfileParser.parse(text)
    .getInstructions()
    .map((step) => ({
      keyword: step.getKeyword(),
      words: [
        ...((step as Partial<ModifiableInstruction>).getFlags?.() ?? []).map(String),
        ...step.getArguments().map((word) => word.getValue()),
      ],
    }))
  return steps.slice(steps.findLastIndex(({ keyword }) => keyword === 'FROM'))
}

/** Returns the variables that the last stage sets for every process. */
export function imageEnvironment(): Record<string, string> {
  const pairs = lastStage().flatMap(({ keyword, words }) => (keyword === 'ENV' ? words : []))
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s) as [string, string]))
}

/** Returns the words of a command that is written as JSON. */
export function commandOf(keyword: 'CMD' | 'HEALTHCHECK'): string[] {
  const words = lastStage().find((step) => step.keyword === keyword)?.words ?? []
  const list = words.slice(words.indexOf('CMD') + 1).join(' ')
  return JSON.parse(list) as string[]
}

/** Makes `/app` of the image in `folder`; what earlier stages build (website, clients) is left out. */
export function layOut(folder: string): void {
  for (const { keyword, words } of lastStage()) {
    if (keyword !== 'COPY') continue
    const from = words.find((word) => word.startsWith('--from='))
    const places = words.filter((word) => !word.startsWith('--'))
    const to = places.pop() ?? ''
    if (from === undefined) for (const place of places) copyOfContext(place, path.join(folder, to))
    else if (from === '--from=modules' && to === 'node_modules') copyModules(folder)
    else assert.ok(from === '--from=build' || to === '/data', `what is copied ${from}: ${to}?`)
  }
}

/** Copies a part of the context: .dockerignore leaves out tests and some documents. */
function copyOfContext(place: string, to: string): void {
  const ignored = fs
    .readFileSync(path.join(CHECKOUT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^[#!*]/.test(line))
  const target = to.endsWith('/') ? path.join(to, path.basename(place)) : to
  fs.cpSync(path.join(CHECKOUT, place), target, {
    recursive: true,
    filter: (file) =>
      !file.endsWith('.test.ts') && !ignored.includes(path.relative(CHECKOUT, file)),
  })
}

/** Copies the packages as the stage `modules` leaves them. */
function copyModules(folder: string): void {
  for (const place of productionModules(CHECKOUT).keys())
    for (const file of loadedFiles(path.join(CHECKOUT, place)))
      linkOrCopy(path.join(CHECKOUT, place, file), path.join(folder, place, file))
}

function linkOrCopy(file: string, to: string): void {
  fs.mkdirSync(path.dirname(to), { recursive: true })
  try {
    fs.linkSync(file, to)
  } catch {
    fs.copyFileSync(file, to) // the folder is on another file system
  }
}
