/** Packs a Python client as a wheel, and as its module alone. Its metadata is in pyproject.toml. */
import fs from 'node:fs'
import path from 'node:path'
import type { Packed } from './pack-npm.ts'
import type { ClientPackage, Release } from './packages.ts'
import { wheelOf } from './wheel.ts'

export function packPython(
  root: string,
  { version, repository }: Release,
  { folder, module }: Extract<ClientPackage, { kind: 'python' }>,
): Packed[] {
  const home = path.join(root, folder)
  const project = fs.readFileSync(path.join(home, 'pyproject.toml'), 'utf8')
  const field = (name: string): string => {
    const line = project.split('\n').find((one) => one.startsWith(`${name} = "`))
    if (line === undefined) throw new Error(`${folder}/pyproject.toml does not say its ${name}`)
    return line.slice(name.length + ' = "'.length, -1)
  }
  const name = field('name')
  const content = fs.readFileSync(path.join(home, module))
  const metadata = [
    'Metadata-Version: 2.4',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${field('description')}`,
    `License-Expression: ${field('license')}`,
    'License-File: LICENSE',
    `Requires-Python: ${field('requires-python')}`,
    ...(repository === undefined ? [] : [`Project-URL: Source, ${pageOf(repository.url)}`]),
    'Description-Content-Type: text/markdown',
    '',
    fs.readFileSync(path.join(home, 'README.md'), 'utf8'),
  ].join('\n')
  // The wheel installs a package of that name, because only packages can declare that they are typed.
  const folderName = module.replace(/\.py$/, '')
  const files = [
    { name: `${folderName}/__init__.py`, content },
    { name: `${folderName}/py.typed`, content: Buffer.alloc(0) },
  ]
  const licence = fs.readFileSync(path.join(root, 'LICENSE'))
  const wheel = wheelOf({ name: name.replaceAll('-', '_'), version, files, metadata, licence })
  return [
    { name, file: wheel },
    { name, file: { name: module, content } },
  ]
}

/** Returns the page for people of a repository: `https://host/name` for `git+https://host/name.git`. */
function pageOf(url: string): string {
  return url.replace(/^git\+/, '').replace(/\.git$/, '')
}
