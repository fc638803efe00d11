/** Packs a client as npm does: bundled sources, declarations, package.json, README and licence. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ADDRESS_FILE, addressFile } from '../../../src/api/documents/served-address.ts'
import type { ClientPackage, Release } from './packages.ts'
import { type PackedFile, tarGz } from './tar.ts'

type NpmPackage = Extract<ClientPackage, { kind: 'npm' }>
type Manifest = { name: string; bin?: Record<string, string> } & Record<string, unknown>

const COMPACT = {
  compress: true,
  mangle: { keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true },
}

export type Packed = {
  /** The package's name. */
  name: string
  file: PackedFile
}

/** Returns the tarball, and the bundle by itself where it is served so. */
export async function packNpm(
  root: string,
  { version, repository }: Release,
  { folder, entry, bundle, platform, hasTypes, aloneAs, hasAddress }: NpmPackage,
): Promise<Packed[]> {
  const home = path.join(root, folder)
  const manifest = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8')) as Manifest
  const chunks = await bundleOf(path.join(home, entry), { bundle, platform })
  const programs = Object.values(manifest.bin ?? {})
  const blank = addressFile(null)
  const source =
    repository === undefined ? {} : { repository: { ...repository, directory: folder } }
  const files: PackedFile[] = [
    { name: 'package.json', content: jsonOf({ ...manifest, version, ...source }) },
    ...chunks.map((chunk) => ({ ...chunk, isProgram: programs.includes(chunk.name) })),
    ...(hasTypes ? typesOf(root, folder, path.dirname(bundle)) : []),
    ...(hasAddress && blank !== null ? [{ name: ADDRESS_FILE, content: blank }] : []),
    { name: 'README.md', content: fs.readFileSync(path.join(home, 'README.md')) },
    { name: 'LICENSE', content: fs.readFileSync(path.join(root, 'LICENSE')) },
  ]
  const sorted = files
    .map((file) => ({ ...file, name: `package/${file.name}` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const { name } = manifest
  const tarball = { name: `${plainName(name)}-${version}.tgz`, content: tarGz(sorted) }
  const whole = chunks.find((chunk) => chunk.name === bundle)
  const alone =
    aloneAs === null || whole === undefined ? [] : [{ name, file: { ...whole, name: aloneAs } }]
  return [{ name, file: tarball }, ...alone]
}

/** Returns the bundle, and a chunk for each part that is imported on demand. */
async function bundleOf(
  input: string,
  { bundle, platform }: Pick<NpmPackage, 'bundle' | 'platform'>,
): Promise<PackedFile[]> {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input,
    platform,
    external: /^node:/,
    logLevel: 'silent',
  })
  try {
    const { output } = await build.generate({
      format: 'esm',
      // A library is read by people, so comments stay; a program has to be small, and its stack traces keep their
      // names.
      ...(platform === 'neutral' ? { comments: true } : { comments: false, minify: COMPACT }),
      entryFileNames: path.basename(bundle),
    })
    const folder = path.dirname(bundle)
    return output.flatMap((chunk) =>
      chunk.type === 'chunk'
        ? [{ name: `${folder}/${chunk.fileName}`, content: Buffer.from(chunk.code) }]
        : [],
    )
  } finally {
    await build.close()
  }
}

function typesOf(root: string, folder: string, target: string): PackedFile[] {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'client-types-'))
  try {
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', out]
    const { status, stdout } = spawnSync(
      process.execPath,
      [compiler, '-p', path.join(root, folder), ...options],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`the declarations of ${folder} cannot be written:\n${stdout}`)
    return fs.readdirSync(out).map((name) => ({
      name: `${target}/${name}`,
      content: fs.readFileSync(path.join(out, name)),
    }))
  } finally {
    fs.rmSync(out, { recursive: true })
  }
}

/** Returns `scope-name` for `@scope/name`, as names of files have it. */
function plainName(name: string): string {
  return name.replace(/^@/, '').replace('/', '-')
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
