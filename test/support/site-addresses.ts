/** The addresses of the website's pages, read from its router, so that none is forgotten. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'

const ROUTER = path.join(import.meta.dirname, '../../web/src/router.tsx')

/** Returns the addresses as the router has them, with parameters such as `$id`. */
export function siteAddresses(): string[] {
  const paths = [
    ...fs.readFileSync(ROUTER, 'utf8').matchAll(/(?:for(?:All|Members)\(|path: )'(\/[^']*)'/g),
  ]
  assert.ok(paths.length > 15)
  return paths.map(([, address = '']) => address)
}
