/** Targets of deliveries: every spelling of this machine and its network is refused, public targets are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress, readTarget } from './target.ts'

const judge = (url: string, isPrivateAllowed = false): string =>
  readTarget(url, { isPrivateAllowed }).kind

test('twenty spellings of this machine and its network are refused as targets', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '127.0.0.1.',
    '１２７.０.０.１',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[ff02::1]',
  ]
  assert.deepEqual(
    hosts.filter((host) => judge(`http://${host}/hook`) !== 'refused'),
    [],
  )
  assert.deepEqual(
    hosts.filter((host) => judge(`http://${host}/hook`, true) !== 'target'),
    [],
    'where private targets are allowed, all of them are fine',
  )
})

test('names, passwords, other schemes and ports of other services are refused', () => {
  const refused = [
    'http://name@example.org/',
    'http://:word@example.org/',
    'https://example.org@127.0.0.1/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'example.org/hook',
    'http://example.org:22/',
    'http://example.org:25/',
    'http://example.org:6667/',
    `https://example.org/${'a'.repeat(2_048)}`,
    '',
  ]
  assert.deepEqual(
    refused.filter((url) => judge(url) !== 'refused'),
    [],
  )
  const fine = [
    'https://example.org/hook?key=1',
    'http://example.org',
    'https://example.org:8443/',
    'http://93.184.215.14:8080/hook',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://localhost.example.org/',
  ]
  assert.deepEqual(
    fine.filter((url) => judge(url) !== 'target'),
    [],
  )
})

test('a target is kept as the URL standard writes it, without its fragment', () => {
  assert.deepEqual(readTarget('HTTPS://Example.ORG:443/a b#c', { isPrivateAllowed: false }), {
    kind: 'target',
    url: 'https://example.org/a%20b',
  })
})

test('what is no IP address is no public one', () => {
  assert.deepEqual(
    ['example.org', '', '1.2.3.4.5', 'fe80::1%eth0'].filter((ip) => isPublicAddress(ip)),
    [],
  )
  assert.ok(isPublicAddress('93.184.215.14'))
})
