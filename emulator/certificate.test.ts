/** The certificate that ends TLS is one that strict clients take for each host of the platform. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createThrowAwayCertificate, HOSTS } from './certificate.ts'

test('the authority signed it, and it is for every host of the platform and no other', async (t) => {
  const { cert, caFile, remove } = await createThrowAwayCertificate()
  t.after(remove)
  const [host, authority] = [
    new X509Certificate(cert),
    new X509Certificate(await readFile(caFile, 'utf8')),
  ]
  assert.ok(host.checkIssued(authority) && host.verify(authority.publicKey))
  assert.ok(authority.ca && authority.verify(authority.publicKey) && !host.ca)
  for (const name of HOSTS) {
    const one = name.replace('*', 'www')
    assert.equal(host.checkHost(one), name)
  }
  assert.equal(host.checkHost('example.org'), undefined)
  assert.deepEqual(host.keyUsage, ['1.3.6.1.5.5.7.3.1'])
})
